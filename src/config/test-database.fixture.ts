import type { Environment } from './document/references.ts';

/** Returns the database server that tests should use; null if they start their own. */
export function testDatabaseUrl(env: Environment = process.env): string | null {
  const given = env['TEST_DATABASE_URL'] ?? '';
  return given === '' ? null : given;
}
