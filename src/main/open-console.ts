/** The console's files, as `npm run build` left them. */
import { join } from 'node:path';
import { ConsoleAssets } from '../http/console/console-assets.ts';
import type { Log } from '../telemetry/log.ts';

const BUILD = join(import.meta.dir, '../../console/dist');

/** @param folder of the build. */
export async function openConsole(
  { log }: { readonly log: Pick<Log, 'warn'> },
  folder: string = BUILD,
): Promise<ConsoleAssets> {
  const assets = new ConsoleAssets(folder);
  if ((await assets.current()) === null) {
    log.warn({ folder }, 'the console is not built, and /console says so: run `npm run build`');
  }
  return assets;
}
