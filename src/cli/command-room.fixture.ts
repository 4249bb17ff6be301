/** Runs CLI commands in tests, against the real HTTP edge and a real ledger. */
import { Secret } from '../config/secret.ts';
import { ADMIN_TOKEN, openReportRoom } from '../http/caller/reports/report-room.fixture.ts';
import { removeFiles } from '../ledger/sqlite/sqlite.fixture.ts';
import { runCli } from './cli.ts';

export type CommandRoom = Awaited<ReturnType<typeof openCommandRoom>>;

export async function openCommandRoom() {
  const room = await openReportRoom();
  const run = async (...argv: string[]) => {
    const written = { out: '', err: '' };
    const io = {
      stdout: (text: string) => {
        written.out += text;
      },
      stderr: (text: string) => {
        written.err += text;
      },
    };
    const settings = {
      baseUrl: 'http://gateway',
      dataDir: '',
      adminToken: new Secret(ADMIN_TOKEN),
    };
    const notHere = () => Promise.reject(new Error('not a command of these tests'));
    const exit = await runCli(argv, io, {
      clock: room.clock,
      version: '1.2.3',
      fetch: async (request) => await room.edge.fetch(request),
      settings: async () => settings,
      serve: notHere,
      check: notHere,
      doctor: notHere,
      migrate: notHere,
      restore: notHere,
    });
    return { exit, ...written };
  };
  const close = async (): Promise<void> => {
    await room.accounts.close();
    await room.database.close();
    removeFiles();
  };
  return { room, run, close };
}
