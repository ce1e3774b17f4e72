/** The version of this program, for `--version` and the log. */
import packageJson from '../../package.json' with { type: 'json' };

export const { version } = packageJson;
