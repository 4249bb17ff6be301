/**
 * Explains why the data folder makes a start fail, or why a folder is not safe for a ledger or its
 * backups.
 */
import { backupDiskFindings } from './backup-checks.ts';
import { reasonOf } from './finding.ts';
import { fileSystemFindings, folderFindings, spaceFindings } from './folder-checks.ts';
import { readFolder } from './machine.ts';

/** File system errors whose messages do not say what to do. */
const REFUSED = /\b(?:EROFS|EACCES|EPERM|ENOTDIR|EEXIST)\b/;
const FULL = /\b(?:ENOSPC|EDQUOT)\b/;

/**
 * If the state of the data folder explains `thrown`, returns an error that says what to do.
 * Otherwise returns `thrown`.
 */
export async function withRemedy(thrown: unknown, dataDir: string): Promise<unknown> {
  const isFull = FULL.test(reasonOf(thrown));
  if (!isFull && !REFUSED.test(reasonOf(thrown))) return thrown;
  const facts = await readFolder(dataDir).catch(() => null);
  if (facts === null) return thrown;
  const findings = isFull ? spaceFindings(facts) : folderFindings(facts);
  const problem = findings.find(({ level }) => level !== 'ok');
  if (problem === undefined) return thrown;
  const message = `${problem.found} ${problem.remedy} (${reasonOf(thrown)})`;
  return new Error(message, { cause: thrown });
}

/**
 * Returns the reasons why this folder is not safe for a ledger, such as a network file system or a
 * file system in memory. Returns an empty list if it is safe.
 */
export async function ledgerRisks(dataDir: string): Promise<readonly string[]> {
  return fileSystemFindings(await readFolder(dataDir), true)
    .filter(({ level }) => level === 'fail')
    .map(({ found, remedy }) => `${found} ${remedy}`);
}

/** Returns the reasons why `folder` is not safe for backups of the ledger in the data folder. */
export async function backupRisks(
  folder: string | null,
  dataDir: string,
): Promise<readonly string[]> {
  const findings = await backupDiskFindings(folder, dataDir);
  return findings.map(({ found, remedy }) => `${found} ${remedy}`);
}
