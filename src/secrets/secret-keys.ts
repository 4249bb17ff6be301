/** The keys that encrypt stored secrets, from a file, the environment or a command. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Clock } from '../clock.ts';
import type { Secret } from '../config/secret.ts';
import { KEY_BYTES } from '../store/sealed-bytes.ts';

export type SecretKey = {
  /** An id that does not reveal the key. It is stored with each secret. */
  readonly id: string;
  readonly bytes: Uint8Array;
};

/**
 * The keys for secrets. The first one encrypts new secrets. Without keys, `problem` has the reason.
 */
export type SecretKeys =
  | { readonly keys: readonly [SecretKey, ...SecretKey[]] }
  | { readonly keys: readonly []; readonly problem: string };

export type KeySource =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'text'; readonly text: Secret; readonly setting: string }
  | { readonly kind: 'command'; readonly command: readonly string[] };

/** The timeout of the key command. The start of the gateway waits for the command. */
const COMMAND_TIMEOUT_MS = 15_000;
/** Maximum number of keys. A text with more words is not a list of keys. */
const MAX_KEYS = 32;
const MAX_TEXT_CHARS = 4096;
const ID_CHARS = 16;

const MAKE_KEY = '`openssl rand -base64 32` makes one';

export const newKey = (clock: Pick<Clock, 'randomBytes'>): string =>
  Buffer.from(clock.randomBytes(KEY_BYTES)).toString('base64');

/** Reads the keys from their source. Never rejects. */
export async function readKeys(
  source: KeySource,
  clock: Pick<Clock, 'after'>,
): Promise<SecretKeys> {
  switch (source.kind) {
    case 'file': {
      const read = fileText(source.path);
      return 'text' in read ? keysIn(read.text, `the file ${source.path}`) : none(read.problem);
    }
    case 'text':
      return keysIn(source.text.reveal(), source.setting);
    case 'command': {
      const read = await commandText(source.command, clock);
      const place = `the output of ${source.command[0]}`;
      return 'text' in read ? keysIn(read.text, place) : none(read.problem);
    }
  }
}

const none = (problem: string): SecretKeys => ({ keys: [], problem });

type Read = { readonly text: string } | { readonly problem: string };

function fileText(path: string): Read {
  try {
    return { text: readFileSync(path, 'utf8') };
  } catch (thrown) {
    const code = codeOf(thrown);
    const why = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`;
    return { problem: `the file ${path} ${why}; restore it from the backup of your keys` };
  }
}

/** Runs the key command. A returned `problem` never contains the output, which may hold a key. */
async function commandText(
  [program = '', ...args]: readonly string[],
  clock: Pick<Clock, 'after'>,
): Promise<Read> {
  const remedy = 'run the command of secrets.key_command by hand';
  try {
    const child = Bun.spawn([program, ...args], {
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'ignore',
    });
    let isLate = false;
    const timer = clock.after(COMMAND_TIMEOUT_MS, () => {
      isLate = true;
      child.kill('SIGKILL');
    });
    const [text, code] = await Promise.all([new Response(child.stdout).text(), child.exited]);
    timer.cancel();
    if (isLate)
      return { problem: `${program} took longer than ${COMMAND_TIMEOUT_MS} ms; ${remedy}` };
    if (code !== 0) return { problem: `${program} ended with exit code ${code}; ${remedy}` };
    return { text };
  } catch (thrown) {
    return { problem: `${program} cannot be started (${codeOf(thrown)}); ${remedy}` };
  }
}

const codeOf = (thrown: unknown): string =>
  thrown instanceof Error && 'code' in thrown ? String(thrown.code) : 'unknown error';

/** Parses keys separated by whitespace. `place` names their source in a `problem`. */
export function keysIn(text: string, place: string): SecretKeys {
  const words = text.split(/\s+/).filter((word) => word !== '');
  if (text.length > MAX_TEXT_CHARS || words.length > MAX_KEYS)
    return none(
      `${place} is too long to be a list of keys; write at most ${MAX_KEYS} keys, one per line`,
    );
  const keys: SecretKey[] = [];
  for (const [index, word] of words.entries()) {
    const bytes = new Uint8Array(Buffer.from(word, 'base64'));
    if (!/^[\w+/-]{43}=?$/.test(word) || bytes.byteLength !== KEY_BYTES)
      return none(`key ${index + 1} of ${place} is not 32 bytes in base64; ${MAKE_KEY}`);
    keys.push({ id: idOf(bytes), bytes });
  }
  const [first, ...others] = keys;
  if (first === undefined) return none(`${place} has no key; ${MAKE_KEY}`);
  return { keys: [first, ...others] };
}

const idOf = (key: Uint8Array): string =>
  createHash('sha256')
    .update('modelgate: id of a key for secrets\n')
    .update(key)
    .digest('hex')
    .slice(0, ID_CHARS);
