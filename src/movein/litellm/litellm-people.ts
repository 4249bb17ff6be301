/** Converts LiteLLM's users who have an email address to people who own an account. */
import { asArray, asJsonObject, type JsonObject } from '../../json/object.ts';
import { parsedEmail } from '../../people/email.ts';
import { textIn, textsIn } from '../json-values.ts';
import type { Left, MovedPerson } from '../move-in.ts';
import { refOf } from '../refs.ts';
import { shownName } from '../source-tables.ts';
import type { LiteLlmTables } from './litellm-tables.ts';

export type ReadPeople = {
  /** The people of each account, by the account's ref (its name at the source). */
  readonly people: ReadonlyMap<string, readonly MovedPerson[]>;
  readonly left: readonly Left[];
};

/**
 * Returns the people to move. An administrator of teams becomes an owner of the first team's
 * account. A user without a team becomes the owner of an own account. Other members of teams do not
 * move, because they must not become owners.
 */
export function peopleOf({ users, teams }: LiteLlmTables): ReadPeople {
  const people = new Map<string, MovedPerson[]>();
  const left: Left[] = [];
  const seen = new Set<string>();
  for (const user of users) {
    const id = textIn(user, 'user_id') ?? '';
    const given = textIn(user, 'user_email');
    const email = given === null ? null : parsedEmail(given);
    if (email === null) continue;
    const leave = (what: string, reason: string): void =>
      void left.push({ what, name: email, reason });
    if (seen.has(email)) {
      leave('person', TWICE);
      continue;
    }
    seen.add(email);
    const joined = teams.filter((team) => roleIn(team, id) !== null);
    const led = joined.find((team) => roleIn(team, id) === 'admin');
    if (led === undefined && joined.length > 0) {
      leave('person', MEMBER);
      continue;
    }
    const place =
      led === undefined ? refOf('user', id) : refOf('team', textIn(led, 'team_id') ?? '');
    const name = shownName(textIn(user, 'user_alias') ?? email, email);
    const person = { ref: refOf('person', id), email, name, passwordHash: null };
    const owners = people.get(place) ?? [];
    if (owners.length === MAX_PEOPLE) {
      leave(
        'person',
        `At most ${MAX_PEOPLE} owners of an account are imported. Invite the others.`,
      );
      continue;
    }
    people.set(place, [...owners, person]);
    if (textIn(user, 'password') !== null) leave('password', PASSWORD);
  }
  return { people, left };
}

/** Maximum people that move to one account. */
const MAX_PEOPLE = 100;
const TWICE = 'Another user has the same email address.';
const MEMBER = 'Members of teams are not imported. Invite them to the account.';
const PASSWORD =
  'LiteLLM hashes passwords in a different way. Run `modelgate people reset-link` to create a password reset link.';

/** Returns the role of a user in a team; null if the user is not a member. */
function roleIn(team: JsonObject, userId: string): string | null {
  for (const each of asArray(team['members_with_roles'])) {
    const member = asJsonObject(each) ?? {};
    if (textIn(member, 'user_id') === userId) return textIn(member, 'role') ?? 'user';
  }
  return textsIn(team, 'members').includes(userId) ? 'user' : null;
}
