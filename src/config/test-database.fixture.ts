import type { Environment } from './yaml-file.ts';

/** The server that tests are to use instead of one of their own; null: none is named. */
export function testDatabaseUrl(env: Environment = process.env): string | null {
  const given = env['TEST_DATABASE_URL'] ?? '';
  return given === '' ? null : given;
}
