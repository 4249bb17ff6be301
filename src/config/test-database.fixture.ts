import type { Environment } from './document/references.ts';

/** Returns the URL of the test database server; null if tests start their own server. */
export function testDatabaseUrl(env: Environment = process.env): string | null {
  const given = env['TEST_DATABASE_URL'] ?? '';
  return given === '' ? null : given;
}
