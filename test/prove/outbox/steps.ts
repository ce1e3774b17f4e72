/** Performs the steps of a script on a laptop. Every action of a person is logged before it is performed. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Action } from './actions.ts';
import type { Laptop } from './laptop.ts';
import { createHostProcess } from './machine.ts';
import type { Logged } from './oracle.ts';
import type { Step } from './script.ts';
import { shut, sleep, within } from './wait.ts';

const act = async (laptop: Laptop, action: Action, index: 0 | 1): Promise<void> => {
  const logged: Logged = { action, outcome: null };
  laptop.log.push(logged);
  const page = laptop.windows[index] ?? laptop.windows[0];
  if (!page) return laptop.note(`${action.do}: no window`);
  try {
    logged.outcome = await within(
      `${action.do} is answered`,
      laptop.hands.patience,
      laptop.hands.act(page, action),
    );
    laptop.note(`${action.do} ${action.key.slice(-4)}: ${JSON.stringify(logged.outcome)}`);
  } catch (error) {
    laptop.note(`${action.do} ${action.key.slice(-4)}: ${String(error).slice(0, 120)}`);
    // A window that hangs without being killed is a separate failure.
    if (String(error).includes('not within')) await laptop.healthy();
  }
};

/** Clears the site data. For odd seeds a second window stays open over it and is never reopened. */
const loseDatabase = async (laptop: Laptop): Promise<void> => {
  const [page, second] = laptop.windows;
  if (!page) return;
  const origin = new URL(page.url()).origin;
  const forgotten = second && laptop.script.seed % 2 === 1 ? second : null;
  const had = second !== null;
  laptop.windows = [null, forgotten];
  await shut(page);
  if (forgotten === null) await shut(second);
  laptop.log.push({ action: { do: 'lose_database' }, outcome: { said: 'saved' } });
  const blank = await laptop.bench.browser.page();
  const devtools = await blank.context().newCDPSession(blank);
  await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'indexeddb' });
  await blank.close();
  await laptop.openWindow(0, () => laptop.windows[0] === null);
  if (had) await laptop.openWindow(1, () => laptop.windows[1] === null);
};

const secondHost = async (laptop: Laptop): Promise<void> => {
  const second = createHostProcess(laptop.folder.path, laptop.files);
  const killed = () => laptop.killed.filter(({ victim }) => victim === 'host').length;
  const before = killed();
  try {
    await second.start();
    // Killed meanwhile, the first host holds no lock.
    if (killed() === before) laptop.note('FAILED a second host started on the same folder');
    else laptop.note('a second host took over from the killed one');
  } catch {
    // This is the expected result.
  } finally {
    await second.kill();
  }
};

/** The database still has everything: when the window opens, it rewrites what the journal lost. */
const damageJournal = async (
  laptop: Laptop,
  { how, at }: Extract<Step, { step: 'damage_journal' }>,
): Promise<void> => {
  const path = join(laptop.folder.path, 'journal', 'journal.log');
  await laptop.whileHostIsDead(async () => {
    const bytes = await readFile(path);
    const lines = [...bytes.toString('latin1').matchAll(/^[0-9a-f]{8} \{"t":"operation".*\n/gm)];
    const line = lines[Math.floor(at * lines.length)];
    laptop.note(`damages the journal: ${how}, ${lines.length} operations in it`);
    if (line === undefined) return;
    const start = line.index;
    const middle = start + Math.floor(line[0].length / 2);
    if (how === 'flip') bytes[middle] = (bytes[middle] ?? 0) ^ 4;
    const [before, after] = [bytes.subarray(0, start), bytes.subarray(start)];
    await writeFile(
      path,
      how === 'flip'
        ? bytes
        : how === 'garbage'
          ? Buffer.concat([before, Buffer.from([0, 255, 254, 13, 34, 123, 10]), after])
          : Buffer.concat([bytes, bytes.subarray(start, middle)]),
    );
  });
};

/** Performs one step of a script. The laptop restarts whatever is killed meanwhile. */
export const step = async (laptop: Laptop, step: Step): Promise<void> => {
  switch (step.step) {
    case 'act':
      return act(laptop, step.action, step.window);
    case 'wait':
      return sleep(step.ms);
    case 'settle': {
      const end = performance.now() + step.ms;
      while (performance.now() < end) {
        const state = await laptop.state();
        if (state !== null && state.operations.length === 0) return;
        await sleep(30);
      }
      return;
    }
    case 'offline':
      laptop.weather.offline = true;
      return;
    case 'online':
      laptop.weather.offline = false;
      return;
    case 'second_window':
      return laptop.openWindow(1);
    case 'close_second': {
      const page = laptop.windows[1];
      laptop.windows[1] = null;
      await shut(page);
      return;
    }
    case 'lose_database':
      return loseDatabase(laptop);
    case 'sleep':
      laptop.host.signal('SIGSTOP');
      await sleep(step.ms);
      return laptop.host.signal('SIGCONT');
    case 'second_host':
      return secondHost(laptop);
    case 'writes_fail':
      laptop.weather.writes = step;
      return;
    case 'writes_again':
      laptop.weather.writes = null;
      return;
    case 'damage_journal':
      return damageJournal(laptop, step);
    case 'freeze':
      laptop.bench.server.signal('SIGSTOP');
      await sleep(step.ms);
      return laptop.bench.server.signal('SIGCONT');
  }
};
