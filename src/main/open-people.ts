/** Builds what people sign in with, and join by. */
import { join } from 'node:path';
import { Auth } from '../accounts/people/auth.ts';
import { Invitations } from '../accounts/people/invitations.ts';
import { Joining } from '../accounts/people/joining.ts';
import { Members } from '../accounts/people/members.ts';
import { OneTimeLinks } from '../accounts/people/one-time-links.ts';
import { OwnSignIn } from '../accounts/people/own-sign-in.ts';
import { PasswordHasher } from '../accounts/people/password-hash.ts';
import { PersonStore } from '../accounts/people/person-store.ts';
import { Sessions } from '../accounts/people/sessions.ts';
import { SignIn } from '../accounts/people/sign-in.ts';
import { SignInGuard } from '../accounts/people/sign-in-guard.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import type { Secret } from '../config/secret.ts';
import type { SqlExecutor } from '../ledger/database.ts';
import { keptSecret } from './secret-file.ts';

/** Signs the console's cookies and encrypts what authenticators share. Nodes that share a store share it. */
export const CONSOLE_KEY_FILE = 'console.key';
const KEY_BYTES = 32;

export type PeopleRoom = ReturnType<typeof openPeople>;

type Deps = {
  readonly config: Pick<Config, 'console' | 'data_dir'>;
  readonly clock: Clock;
  readonly publicUrl: string;
};

export function openPeople({ config, clock, publicUrl }: Deps, sql: SqlExecutor) {
  const settings = config.console;
  const hasher = new PasswordHasher();
  const auth = new Auth({
    ...{ sql, clock, hasher, publicUrl },
    secret: settings.secret ?? keptKey(config.data_dir, clock),
    sessionMaxMs: settings.session_max,
  });
  const links = new OneTimeLinks({ sql, clock, publicUrl });
  const people = new PersonStore(sql);
  const members = new Members({ sql, clock, people, links });
  const guard = new SignInGuard(clock);
  const sessions = new Sessions({ sql, clock, auth, idleMs: settings.session_idle });
  return {
    links,
    sessions,
    people,
    members,
    invitations: new Invitations({ sql, clock, links }),
    signIn: new SignIn({ sql, clock, auth, sessions, guard }),
    own: new OwnSignIn({ auth, members, guard }),
    joining: new Joining({ sql, clock, links, hasher, signUp: settings.sign_up }),
    signUp: settings.sign_up,
    requireTotp: settings.require_totp,
  };
}

function keptKey(dataDir: string, clock: Clock): Secret {
  const fresh = Buffer.from(clock.randomBytes(KEY_BYTES)).toString('hex');
  return keptSecret(join(dataDir, CONSOLE_KEY_FILE), fresh);
}
