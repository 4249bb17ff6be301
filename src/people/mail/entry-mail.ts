/**
 * Sends the emails that people request before they have signed in: a link to reset a forgotten
 * password, or a link to confirm a new address. The response must not reveal whether the address
 * has an account. So it is always the same, and it is sent before the store is queried, so that its
 * delay is the same too.
 */
import type { Clock } from '../../clock.ts';
import { knownAddressWords, signUpWords } from '../../mail/letters.ts';
import type { Mailer } from '../../mail/mailer.ts';
import { auditEntry } from '../../store/audit.ts';
import { type SqlExecutor, statement } from '../../store/sql.ts';
import { normalizedEmail } from '../email.ts';
import type { Members } from '../members.ts';
import { INVITATION_MS, type OneTimeLinks } from '../one-time-links.ts';
import { mailIsOff, signUpClosed } from '../people-errors.ts';
import type { PersonStore } from '../person-store.ts';
import type { Visitor } from '../sessions.ts';
import type { SignInGuard } from '../sign-in-guard.ts';
import { languageFrom, type MailPreferences } from './mail-preferences.ts';

/**
 * Maximum number of open sign-up links. At this limit, no more links are mailed until some have
 * expired or are used.
 */
const MAX_OPEN_SIGN_UPS = 1_000;
/**
 * The `account_name` of a sign-up link. It is empty, because the person names the account only when
 * they use the link.
 */
export const NAMED_LATER = '';

export type EntryMailDeps = {
  readonly sql: SqlExecutor;
  readonly clock: Clock;
  readonly links: Pick<OneTimeLinks, 'draw'>;
  readonly people: Pick<PersonStore, 'list'>;
  readonly members: Pick<Members, 'resetLink'>;
  readonly guard: Pick<SignInGuard, 'take'>;
  readonly mailer: Mailer;
  readonly preferences: Pick<MailPreferences, 'of'>;
  readonly publicUrl: string;
  readonly mode: () => 'closed' | 'open';
  readonly onFailure: (what: string, cause: unknown) => void;
};

const SYSTEM = { actor: 'system', role: 'administrator', accountId: null } as const;

export class EntryMail {
  readonly #deps: EntryMailDeps;
  readonly #running = new Set<Promise<void>>();

  constructor(deps: EntryMailDeps) {
    this.#deps = deps;
  }

  /**
   * Mails a reset link if the address has an account.
   * @throws GatewayError `not_allowed` if email is off, `invalid_value`, `rate_limit_exceeded`.
   */
  forgotten(email: string, visitor: Visitor): void {
    const { mailer, guard } = this.#deps;
    if (!mailer.isOn) throw mailIsOff();
    const folded = normalizedEmail(email);
    guard.take(`reset of ${folded}`, visitor.address);
    this.#run(this.#reset(folded));
  }

  /**
   * Mails a link with which the recipient can open an account. If the address has an account
   * already, mails a link to the sign-in page instead.
   * @throws GatewayError the same errors as `forgotten`, and `not_allowed` if sign-up is closed.
   */
  signUp(email: string, visitor: Visitor, acceptLanguage: string | null): void {
    const { mailer, guard, mode } = this.#deps;
    if (mode() === 'closed') throw signUpClosed();
    if (!mailer.isOn) throw mailIsOff();
    const folded = normalizedEmail(email);
    guard.take(`sign-up of ${folded}`, visitor.address);
    this.#run(this.#confirm(folded, acceptLanguage));
  }

  /** Resolves when all requested emails are queued. */
  async settled(): Promise<void> {
    await Promise.all(this.#running);
  }

  #run(work: Promise<void>): void {
    const running = work
      .catch((thrown: unknown) => this.#deps.onFailure('an email could not be queued', thrown))
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  async #reset(email: string): Promise<void> {
    const person = await this.#personOf(email);
    if (person !== null) await this.#deps.members.resetLink(person.id, SYSTEM);
  }

  async #confirm(email: string, acceptLanguage: string | null): Promise<void> {
    const { sql, clock, links, mailer, preferences, publicUrl } = this.#deps;
    const person = await this.#personOf(email);
    const address = { kind: 'sign_up', to: email, accountId: null } as const;
    if (person !== null) {
      const { language } = await preferences.of(person.id);
      await mailer.add({ ...address, language }, knownAddressWords(`${publicUrl}/console/sign-in`));
      return;
    }
    const purpose = { accountId: null, accountName: NAMED_LATER, role: 'owner', email } as const;
    const bound = { madeBy: 'system', lifetimeMs: INVITATION_MS };
    const { insert, ...link } = links.draw({ kind: 'invitation', ...purpose }, bound);
    const isSignUp = statement`kind = 'invitation' AND account_name = ${NAMED_LATER}
      AND used_at_ms IS NULL`;
    const language = languageFrom(acceptLanguage);
    await sql.transaction(
      [
        statement`DELETE FROM one_time_link WHERE ${isSignUp} AND (email = ${email}
          OR expires_at_ms < ${clock.nowMs()})`,
        insert,
        // If there are now too many links, deletes the new link again. Its email is then not
        // queued.
        statement`DELETE FROM one_time_link WHERE id = ${link.id} AND (SELECT COUNT(*)
          FROM one_time_link WHERE ${isSignUp}) > ${MAX_OPEN_SIGN_UPS}`,
        ...mailer.queue({ ...address, language }, signUpWords(link), {
          onlyIf: statement`EXISTS (SELECT 1 FROM one_time_link WHERE id = ${link.id})`,
        }),
      ],
      auditEntry(clock, 'system', 'invitation.create', link.id, { email, role: 'owner' }),
    );
    mailer.wake();
  }

  async #personOf(email: string) {
    const { items } = await this.#deps.people.list(
      { accountId: null, email },
      { limit: 1, after: null },
    );
    return items[0] ?? null;
  }
}
