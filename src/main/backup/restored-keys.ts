/** Copies the key files of an encrypted backup to the data folder. */
import { mkdirSync } from 'node:fs';
import { BESIDE, type KeyFiles, restoreKeyFiles } from '../../backups/payload.ts';
import { KEY_FILES } from './backups-setup.ts';

/** Copies the key files to the data folder. Returns the text to print about them. */
export function restoreKeys(folder: string, keyFiles: KeyFiles): string {
  if (keyFiles.size === 0) return '';
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const keys = restoreKeyFiles(folder, keyFiles, KEY_FILES);
  const restored = keys.filter(({ state }) => state === 'restored').map(({ name }) => name);
  const lines = restored.length === 0 ? [] : [`Restored ${restored.toSorted().join(', ')}.`];
  for (const { name, state } of keys) {
    if (state !== 'differs') continue;
    lines.push(
      `${name} in ${folder} differs from that of the backup, which is now beside it as ` +
        `${name}${BESIDE}. Decide which one is right before you start the gateway.`,
    );
  }
  return lines.map((line) => `${line}\n`).join('');
}
