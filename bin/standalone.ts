/**
 * The entry point of the single binary (`bin/binary.ts`). The runtime reads some environment
 * variables only at its start, so the binary sets them and then restarts itself with `execve`.
 */

/** The variables that `bin/modelgate` and `bin/bun` set, inserted when the binary is built. */
declare const RUNTIME_SETTINGS: Readonly<Record<string, string>>;

const env = { ...RUNTIME_SETTINGS, ...process.env };
const isComplete = Object.keys(RUNTIME_SETTINGS).every((name) => name in process.env);
if (!isComplete)
  process.execve?.(process.execPath, [process.execPath, ...process.argv.slice(2)], env);
await import('../src/main.ts');

export {};
