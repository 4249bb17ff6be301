/** The entry point: runs the command line with the commands of `main/`. */

import packageJson from '../package.json' with { type: 'json' };
import type { AdminSettings } from './cli/admin-client.ts';
import { runCli } from './cli/cli.ts';
import { systemClock } from './clock.ts';
import { ConfigError } from './config/problem.ts';

const print = (text: string): void => {
  process.stdout.write(text);
};

const send = (request: Request): Promise<Response> => fetch(request);

/**
 * Returns the address and credentials for commands that call the configured server from this
 * machine.
 */
async function settings(path: string | null): Promise<AdminSettings> {
  const { loadStart } = await import('./config/config.ts');
  const { sendDirectly } = await import('./config/runtime.ts');
  const config = loadStart({ path });
  const { host, port } = config.listen;
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host;
  const baseUrl = `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
  // The request has the administrator's token, which must not go to a proxy.
  sendDirectly(new URL(baseUrl).hostname);
  return { baseUrl, dataDir: config.data_dir, adminToken: config.admin_token };
}

/**
 * The factor by which the runtime delays the JIT compilation of functions while the server starts.
 * Most code of the start runs once, and costs more to compile than to interpret. `serve` resets the
 * factor to 1.
 */
const STARTING_JIT = 1_000;

async function main(argv: readonly string[]): Promise<number> {
  const { version } = packageJson;
  try {
    return await runCli(
      argv,
      { stdout: print, stderr: (text) => process.stderr.write(text) },
      {
        clock: systemClock,
        version,
        fetch: send,
        settings,
        // Loaded on demand: loading the server takes half a second, and `key list` does not need
        // it.
        serve: async ({ configPath }) => {
          Bun.unsafe.setJITPolicy(STARTING_JIT);
          const { serve } = await import('./main/serve.ts');
          return await serve({ configPath, clock: systemClock, version, print });
        },
        check: async (options) => {
          const { check } = await import('./main/inspect.ts');
          return await check(options, systemClock, print);
        },
        doctor: async (options) => {
          const { doctor } = await import('./main/doctor/doctor.ts');
          return await doctor(options, { clock: systemClock, print, fetch: send, settings });
        },
        migrate: async (options) => {
          const { migrate } = await import('./main/migrate-command.ts');
          return await migrate(options, { clock: systemClock, print, fetch: send, settings });
        },
        restore: async (options) => {
          const { restore } = await import('./main/backup/restore.ts');
          return await restore(options, { clock: systemClock, print });
        },
      },
    );
  } catch (thrown) {
    // A ConfigError says what the operator must do, so no stack trace is printed for it.
    const isOurs = thrown instanceof ConfigError;
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    const text = isOurs ? message : `modelgate: ${message}`;
    const json = JSON.stringify({ error: { code: 'failed', message } });
    process.stderr.write(`${argv.includes('--json') ? json : text}\n`);
    return 1;
  }
}

process.exit(await main(process.argv.slice(2)));
