import type { Environment } from './document/references.ts';

/**
 * Returns the URL of the database server for tests; null if the tests start a server themselves.
 */
export function testDatabaseUrl(env: Environment = process.env): string | null {
  const given = env['TEST_DATABASE_URL'] ?? '';
  return given === '' ? null : given;
}
