/** Calls `/admin/v1` of a running server as its administrator. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { Clock } from '../clock.ts';
import { Secret } from '../config/secret.ts';
import { CliError } from './cli-error.ts';

/** The timeout of most calls, which return a few rows. */
const CALL_TIMEOUT_MS = 30_000;
/** The timeout of a verification, which reads the whole ledger. */
export const VERIFY_TIMEOUT_MS = 10 * 60_000;
const TOKEN_FILE = 'admin-token';

/** The address of the server, and the administrator's token. */
export type AdminSettings = {
  /** Scheme, host and port, such as `http://127.0.0.1:8787`. */
  readonly baseUrl: string;
  readonly dataDir: string;
  /** The value of MODELGATE_ADMIN_TOKEN. If null, the token is read from a file in `dataDir`. */
  readonly adminToken: Secret | null;
};

export type AdminClientDeps = {
  readonly clock: Pick<Clock, 'after'>;
  readonly fetch: (request: Request) => Promise<Response>;
};

export type AdminCall = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path below `/admin/v1`. It is already percent-encoded. */
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
};

const ERROR_BODY = z.object({ error: z.object({ message: z.string(), code: z.string() }) });

export class AdminClient {
  readonly #settings: AdminSettings;
  readonly #deps: AdminClientDeps;

  constructor(settings: AdminSettings, deps: AdminClientDeps) {
    this.#settings = settings;
    this.#deps = deps;
  }

  /**
   * Sends a call and returns the parsed answer.
   * @throws CliError if no server answers, the token is wrong, the server refuses the call, or the
   *   answer does not match the schema.
   */
  async call<Schema extends z.ZodType>(call: AdminCall, schema: Schema): Promise<z.infer<Schema>> {
    const token = this.#settings.adminToken ?? (await this.#readToken());
    const { status, body } = await this.#send(call, token);
    if (status >= 400) throw this.#refused(status, body);
    const answer = schema.safeParse(body);
    if (!answer.success) throw this.#notModelgate(answer.error);
    return answer.data;
  }

  async #send(call: AdminCall, token: Secret): Promise<{ status: number; body: unknown }> {
    const abort = new AbortController();
    const timer = this.#deps.clock.after(call.timeoutMs ?? CALL_TIMEOUT_MS, () => abort.abort());
    const request = new Request(`${this.#settings.baseUrl}/admin/v1${call.path}`, {
      method: call.method,
      headers: {
        ...call.headers,
        authorization: `Bearer ${token.reveal()}`,
        ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: call.body === undefined ? null : JSON.stringify(call.body),
      // Does not follow redirects, because they could send the token to another server.
      redirect: 'manual',
      signal: abort.signal,
    });
    try {
      const response = await this.#deps.fetch(request);
      const text = await response.text();
      return { status: response.status, body: this.#parsed(text) };
    } catch (thrown) {
      if (thrown instanceof CliError) throw thrown;
      throw abort.signal.aborted ? this.#tooSlow(thrown) : this.#noAnswer(thrown);
    } finally {
      timer.cancel();
    }
  }

  #parsed(text: string): unknown {
    try {
      return JSON.parse(text);
    } catch (thrown) {
      throw this.#notModelgate(thrown);
    }
  }

  async #readToken(): Promise<Secret> {
    const path = this.#tokenPath();
    try {
      return new Secret((await readFile(path, 'utf8')).trim());
    } catch (thrown) {
      throw new CliError(
        'failed',
        isDenied(thrown)
          ? `The admin token in ${path} can only be read by the user that runs the server. Run this command as that user, or set MODELGATE_ADMIN_TOKEN.`
          : `There is no admin token at ${path}. Start the server once with \`modelgate serve\`, which creates it. If the server runs with another configuration, name that file with --config, or set MODELGATE_ADMIN_TOKEN.`,
        { cause: thrown },
      );
    }
  }

  #tokenPath(): string {
    return join(this.#settings.dataDir, TOKEN_FILE);
  }

  #refused(status: number, body: unknown): CliError {
    const answer = ERROR_BODY.safeParse(body);
    if (!answer.success) return this.#notModelgate(answer.error);
    const { code, message } = answer.data.error;
    if (status !== 401) return new CliError('failed', message, { code });
    const source =
      this.#settings.adminToken === null
        ? `the token in ${this.#tokenPath()}`
        : 'the token in MODELGATE_ADMIN_TOKEN';
    return new CliError(
      'failed',
      `The server at ${this.#settings.baseUrl} refused ${source}. It runs with another data folder or token. Use the same configuration and environment here.`,
      { code },
    );
  }

  #noAnswer(cause: unknown): CliError {
    return new CliError(
      'unanswered',
      `No server answers at ${this.#settings.baseUrl}. Start it with \`modelgate serve\`; if it listens elsewhere, name its configuration with --config or set MODELGATE_LISTEN.`,
      { cause },
    );
  }

  #tooSlow(cause: unknown): CliError {
    return new CliError(
      'unanswered',
      `The server at ${this.#settings.baseUrl} did not answer in time, so the change may have been made. Check before you repeat the command.`,
      { cause },
    );
  }

  #notModelgate(cause: unknown): CliError {
    return new CliError(
      'failed',
      `The server at ${this.#settings.baseUrl} does not run this version of Modelgate. Check the address that the gateway listens on.`,
      { cause },
    );
  }
}

const isDenied = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && thrown.code === 'EACCES';
