/** For tests: a gateway whose console is what the sources say. */
import { join } from 'node:path';
import {
  type GatewayOptions,
  type GatewayProcess,
  startGateway,
} from '../../support/gateways/gateway-process.ts';

const BUILD = join(import.meta.dir, '../../../console/build.ts');

/**
 * In a process of its own, as `npm run build` has it: here the libraries would be built for tests.
 *
 * @throws Error with what the build said when it failed.
 */
export async function buildConsole(): Promise<void> {
  const build = Bun.spawn([process.execPath, BUILD], { stdout: 'pipe', stderr: 'pipe' });
  const [code, stdout, stderr] = await Promise.all([
    build.exited,
    new Response(build.stdout).text(),
    new Response(build.stderr).text(),
  ]);
  if (code !== 0) throw new Error(`the console was not built:\n${stdout}${stderr}`);
}

/** @throws when the console cannot be built, or the gateway does not start. */
export async function startConsoleGateway(options: GatewayOptions = {}): Promise<GatewayProcess> {
  await buildConsole();
  return await startGateway(options);
}
