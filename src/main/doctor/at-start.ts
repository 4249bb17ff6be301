/** Explains why a start fails on the data folder, or why a ledger is not safe in the folder. */
import { reasonOf } from './finding.ts';
import { fileSystemFindings, folderFindings, spaceFindings } from './folder-checks.ts';
import { readFolder } from './machine.ts';

/** Errors of the file system for which the system's message names no remedy. */
const REFUSED = /\b(?:EROFS|EACCES|EPERM|ENOTDIR|EEXIST|ENOSPC|EDQUOT)\b/;

/** Returns an error with the remedy if the data folder's state explains `thrown`, else `thrown`. */
export async function withRemedy(thrown: unknown, dataDir: string): Promise<unknown> {
  if (!REFUSED.test(reasonOf(thrown))) return thrown;
  const facts = await readFolder(dataDir).catch(() => null);
  if (facts === null) return thrown;
  const problem = [...folderFindings(facts), ...spaceFindings(facts)].find(
    ({ level }) => level !== 'ok',
  );
  if (problem === undefined) return thrown;
  const message = `${problem.found} ${problem.remedy} (${reasonOf(thrown)})`;
  return new Error(message, { cause: thrown });
}

/**
 * Returns the reasons why a ledger is not safe in this folder, such as a network file system or one
 * in memory; empty if it is safe.
 */
export async function ledgerRisks(dataDir: string): Promise<readonly string[]> {
  return fileSystemFindings(await readFolder(dataDir), true)
    .filter(({ level }) => level === 'fail')
    .map(({ found, remedy }) => `${found} ${remedy}`);
}
