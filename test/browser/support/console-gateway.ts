/** For tests: a gateway with an up-to-date console. */
import { join } from 'node:path';
import {
  type GatewayOptions,
  type GatewayProcess,
  startGateway,
} from '../../support/gateways/gateway-process.ts';

const BUILD = join(import.meta.dir, '../../../console/build.ts');

/**
 * Builds the console in a separate process, as `npm run build` does. With the environment of the
 * tests, the build would include the development checks of libraries.
 * @throws Error with the build's output.
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

/** Builds the console and starts a gateway. @throws Error when the build or the start fails. */
export async function startConsoleGateway(options: GatewayOptions = {}): Promise<GatewayProcess> {
  await buildConsole();
  return await startGateway(options);
}
