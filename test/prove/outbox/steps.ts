/** The steps of a script, done to a laptop: what a person asks for is written down before it is done. */
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
    // A window that does not answer and was not killed is a failure of its own.
    if (String(error).includes('not within')) await laptop.healthy();
  }
};

/** Site data is cleared; with odd seeds a second window stays open over it, and nobody opens it again. */
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
    // Killed meanwhile, the first holds nothing any more.
    if (killed() === before) laptop.note('FAILED a second host started on the same folder');
    else laptop.note('a second host took over from the killed one');
  } catch {
    // What must happen.
  } finally {
    await second.kill();
  }
};

/** Does one step of a script. What is killed meanwhile is started again by the laptop. */
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
        if (state !== null && state.entries.length === 0) return;
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
    case 'freeze':
      laptop.bench.server.signal('SIGSTOP');
      await sleep(step.ms);
      return laptop.bench.server.signal('SIGCONT');
  }
};
