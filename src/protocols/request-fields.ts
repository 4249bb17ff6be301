/**
 * Decides for one upstream and one price card which fields of a request are sent. A field needs a
 * rule in a table: `fields.ts` of each protocol, or `upstreams/known-fields.ts`.
 */
import { hash } from 'node:crypto';
import type { GatewayError } from '../errors.ts';
import { memberText } from '../json/edit.ts';
import { parseExact } from '../json/exact-numbers.ts';
import { asJsonObject, type JsonObject } from '../json/object.ts';
import type { ScannedObject } from '../json/scan.ts';
import type { CardTerms, FactName } from '../money/card-terms.ts';
import { type FactValues, NO_FACTS } from '../money/price-of.ts';
import type { FeeUnit } from '../money/served.ts';
import type { TextFormat } from './dialect.ts';
import { foldedNames, refuseVariant } from './field-names.ts';
import type { LimitedTools } from './inputs/server-tools.ts';
import { keptMembers, MAX_VALUE_BYTES, refuseMembers } from './known-members.ts';
import { unsupportedParameter, unsupportedValue } from './validation.ts';

/** A property on which prices depend, such as the service tier, and that a request can choose. */
export type Condition = FactName | 'imageDetail' | 'cacheTtl';

/** How a field is treated. A field with a value in `idle` has no effect, so it is omitted. */
export type FieldRule =
  /** Sent unchanged. A bounded field costs tokens, but at most as many as the hold covers. */
  | { readonly class: 'free' | 'bounded' }
  /** Sent if the price card admits the value. Every price card admits the `included` values. */
  | {
      readonly class: 'priced';
      readonly by: Condition;
      readonly included: readonly string[];
      /** Whether `included` values are sent. If not, the field is omitted or rewritten. */
      readonly isSent?: true;
    }
  /** A tool that the provider runs for a fee. It is sent if the price card admits it. */
  | { readonly class: 'tool'; readonly unit: FeeUnit }
  /** An object. Other members are refused in a field, and removed in a nested value (`Claim`). */
  | { readonly class: 'members'; readonly members: readonly string[] }
  /** Identifies a person or a cache. Sent as a digest, which differs for each account. */
  | { readonly class: 'identity'; readonly member: string | null }
  /** The field is accepted but never sent, since the answer is the same without it. */
  | { readonly class: 'withheld'; readonly idle: readonly unknown[] }
  /** Refused, as it reaches other accounts or networks, selects another model, or has no price. */
  | {
      readonly class: 'foreign' | 'other_model' | 'unpriced';
      /** The problem and what to do instead, as the end of the error message. */
      readonly remedy: string;
      readonly idle: readonly unknown[];
    };

export type FieldRules = Readonly<Record<string, FieldRule>>;

/** A table of field rules, with its sources and the date on which they were last read. */
export type FieldTable = {
  readonly rules: FieldRules;
  readonly sources: readonly string[];
  /** The date on which the sources were last read, as `YYYY-MM-DD`. */
  readonly checked: string;
};

export const FREE: FieldRule = { class: 'free' };
export const BOUNDED: FieldRule = { class: 'bounded' };
const refusal =
  (kind: 'foreign' | 'other_model' | 'unpriced') =>
  (remedy: string, ...idle: readonly unknown[]): FieldRule => ({ class: kind, remedy, idle });
export const foreign = refusal('foreign');
export const otherModel = refusal('other_model');
export const unpriced = refusal('unpriced');
export const withheld = (...idle: readonly unknown[]): FieldRule => ({ class: 'withheld', idle });

/** Returns the same rule for each of the names, which are separated by spaces. */
export const each = (names: string, rule: FieldRule): FieldRules =>
  Object.fromEntries(names.split(' ').map((name) => [name, rule]));

/** A nested value and its rule, collected when the request is read, and checked for each route. */
export type Claim = {
  /** The value's path, such as `tools[0].type`. */
  readonly param: string;
  readonly rule: FieldRule;
  readonly value: unknown;
  /** The requests to which the rule applies; absent for all requests. */
  readonly only?: 'translated' | 'untranslated';
  /** Whether a tool that the price card does not admit is omitted instead of refused. */
  readonly isOptional?: true;
};

/** A field that the gateway writes, unless the request sets `condition` to an admitted value. */
export type WrittenField = {
  readonly name: string;
  /** The value as JSON text. */
  readonly text: string;
  readonly condition: Condition | null;
  /** Whether the field is written only if the price card has prices that depend on `condition`. */
  readonly isIfPriced?: true;
};

/** The rules of one upstream for the requests of one protocol. */
export type FieldList = {
  readonly rules: ReadonlyMap<string, FieldRule>;
  /** Known names by their case-folded form. */
  readonly folded: ReadonlyMap<string, string>;
  readonly written: readonly WrittenField[];
};

/** The rules of one upstream. `pass` names fields to send unchanged, whatever their rule. */
export type UpstreamFields = {
  readonly lists: Readonly<Record<TextFormat | 'embeddings', FieldList>>;
  readonly pass: 'all' | ReadonlySet<string>;
  /** The provider's tools whose uses and results can be limited by parameters. */
  readonly limitedTools: LimitedTools;
  /** The `detail` to write on images whose `detail` is not set or `auto`; null to write none. */
  readonly imageDetail: 'high' | null;
};

export function fieldList(rules: FieldRules, written: readonly WrittenField[] = []): FieldList {
  return {
    rules: new Map(Object.entries(rules)),
    folded: foldedNames(Object.keys(rules)),
    written,
  };
}

/** The new JSON text of top-level members of the upstream's request; null to remove a member. */
export type FieldEdits = ReadonlyMap<string, string | null>;

export type FieldPlan = {
  readonly edits: FieldEdits;
  /** Fields of the caller that are not sent. */
  readonly ignored: readonly string[];
  /** The values that the request asks for and the price card admits, such as a tier `priority`. */
  readonly requested: FactValues;
  readonly imageDetail: UpstreamFields['imageDetail'];
  /** Whether the translator may set cache markers. It sets them only if the caller set none. */
  readonly marksCache: boolean;
  /** The paths of the types of tools that are not sent, such as `tools[2].type`. */
  readonly leftOut: readonly string[];
};
export const NO_PLAN: FieldPlan = {
  edits: new Map(),
  ignored: [],
  requested: NO_FACTS,
  imageDetail: null,
  marksCache: false,
  leftOut: [],
};

type Terms = Pick<CardTerms, 'admits' | 'names' | 'rows' | 'multiples'>;

export type FieldAsk = {
  readonly body: ScannedObject;
  readonly claims: readonly Claim[];
  /** The rules of the upstream or, for a translated request, of the caller's protocol. */
  readonly list: FieldList;
  /** The fields that the gateway writes in the upstream's protocol. */
  readonly written: readonly WrittenField[];
  readonly pass: UpstreamFields['pass'];
  /** The `detail` to write on images; null to write none, or if there are no images. */
  readonly imageDetail: UpstreamFields['imageDetail'];
  readonly isTranslated: boolean;
  /** The rules of the upstream's protocol, for fields that keep their names when translated. */
  readonly target?: FieldList['rules'];
  readonly card: { readonly model: string; readonly terms: Terms };
  /** The account's id. It is part of identity digests, so that these differ for each account. */
  readonly accountId: string;
};

/** Plans the fields to send. @throws GatewayError `unsupported_value`, `unsupported_parameter` */
export function planFields(ask: FieldAsk): FieldPlan {
  return new Judgement(ask).plan();
}

class Judgement {
  readonly #ask: FieldAsk;
  readonly #edits = new Map<string, string | null>();
  readonly #ignored: string[] = [];
  readonly #leftOut: string[] = [];
  readonly #admitted = new Map<Condition, string>();

  constructor(ask: FieldAsk) {
    this.#ask = ask;
  }

  plan(): FieldPlan {
    const { body, claims, written, isTranslated, imageDetail, card } = this.#ask;
    for (const name of body.members.keys()) this.#judgeMember(name);
    for (const claim of claims) this.#judgeClaim(claim);
    // If the translator has written a tier, the tier is removed unless the price card admits it.
    if (isTranslated && !this.#admitted.has('tier')) this.#edits.set('service_tier', null);
    for (const field of written) {
      if (this.#isWritten(field)) this.#edits.set(field.name, field.text);
    }
    return {
      edits: this.#edits,
      ignored: this.#ignored,
      requested: this.#requested,
      imageDetail: card.terms.admits.imageDetail.includes('auto') ? null : imageDetail,
      marksCache: false,
      leftOut: this.#leftOut,
    };
  }

  get #requested(): FactValues {
    if (this.#admitted.size === 0) return NO_FACTS;
    const value = (name: FactName): string | null => this.#admitted.get(name) ?? null;
    return { ...NO_FACTS, tier: value('tier'), speed: value('speed'), geo: value('geo') };
  }

  #isWritten({ name, condition, isIfPriced }: WrittenField): boolean {
    const { body, card } = this.#ask;
    if (this.#passes(name) && body.members.has(name)) return false;
    if (condition === null) return true;
    if (this.#admitted.has(condition)) return false;
    return isIfPriced !== true || isPriced(card.terms, condition);
  }

  #judgeMember(name: string): void {
    const { list, body, isTranslated } = this.#ask;
    const rule = list.rules.get(name);
    if (rule === undefined) {
      refuseVariant(name, list.folded);
      if (isTranslated || !this.#passes(name)) this.#leaveOut(name, true);
      return;
    }
    if (rule.class === 'free' || rule.class === 'bounded' || this.#passes(name)) return;
    const value = memberValue(body, name, rule.class);
    if (value === null) {
      this.#leaveOut(name, false);
      return;
    }
    switch (rule.class) {
      case 'priced':
        if (!this.#admits(rule.by, value)) {
          if (!rule.included.some((each) => each === value)) throw this.#unsold(name, rule, value);
          if (rule.isSent !== true) this.#leaveOut(name, false);
        }
        return;
      case 'identity':
        this.#writeDigest(name, rule.member, value);
        return;
      case 'members':
        refuseMembers(name, value, rule.members);
        return;
      case 'withheld':
        this.#leaveOut(name, !rule.idle.some((each) => each === value));
        return;
      case 'foreign':
      case 'other_model':
      case 'unpriced':
        if (!isIdle(value, rule.idle)) throw unsupportedParameter(name, rule.remedy);
        this.#leaveOut(name, false);
    }
  }

  #judgeClaim({ param, rule, value, only, isOptional }: Claim): void {
    if (only !== undefined && (only === 'translated') !== this.#ask.isTranslated) return;
    const [root = ''] = param.split(/[.[]/, 1);
    if (this.#passes(root)) return;
    if (isOptional === true && !this.#isSoldTool(rule)) {
      this.#leftOut.push(param);
      return void this.#ignored.push(String(value));
    }
    switch (rule.class) {
      case 'priced':
        if (rule.included.some((each) => each === value) || this.#admits(rule.by, value)) return;
        throw this.#unsold(param, rule, value);
      case 'tool':
        if (this.#isSoldTool(rule)) return;
        throw this.#unsoldTool(param, value);
      case 'members':
        this.#keepMembers(param, rule.members);
        return;
      case 'foreign':
      case 'other_model':
      case 'unpriced':
        throw unsupportedValue(param, rule.remedy);
      default:
        return;
    }
  }

  #isSoldTool(rule: FieldRule): boolean {
    return rule.class === 'tool' && this.#ask.card.terms.admits.tools.includes(rule.unit);
  }

  #passes(name: string): boolean {
    return passes(this.#ask.pass, name);
  }

  #leaveOut(name: string, isNamed: boolean): void {
    // A translated body cannot contain the field, since translators write only known fields.
    if (!this.#ask.isTranslated) this.#edits.set(name, null);
    if (isNamed) this.#ignored.push(name);
  }

  /** Removes unknown members. Call this only if there are any, because it parses the value. */
  #keepMembers(name: string, known: readonly string[]): void {
    const given = asJsonObject(parseExact(memberText(this.#ask.body, name) ?? 'null')) ?? {};
    const { kept, others } = keptMembers(given, known);
    for (const member of others) this.#ignored.push(`${name}.${member}`);
    if (!this.#ask.isTranslated) this.#edits.set(name, JSON.stringify(kept));
  }

  /** Whether the price card admits a value, by the sent or the card's name. Records it if so. */
  #admits(by: Condition, value: unknown): boolean {
    const { admits, names } = this.#ask.card.terms;
    if (typeof value !== 'string') return false;
    const priced = by === 'imageDetail' || by === 'cacheTtl' ? undefined : names[by].get(value);
    const isAdmitted = [value, priced ?? value].some((name) => admits[by].includes(name));
    if (isAdmitted) this.#admitted.set(by, value);
    return isAdmitted;
  }

  #unsold(param: string, { by, included }: PricedRule, value: unknown): GatewayError {
    const { model, terms } = this.#ask.card;
    const sold = [...new Set([...included, ...terms.admits[by]])];
    const remedy = sold.length === 0 ? 'omit it' : `send ${sold.join(' or ')}, or omit it`;
    return unsupportedValue(param, `${model} is not sold with ${shown(value)}; ${remedy}`);
  }

  #unsoldTool(param: string, value: unknown): GatewayError {
    const { model, terms } = this.#ask.card;
    const { tools } = terms.admits;
    const sold =
      tools.length === 0 ? '' : ` (tools that are sold with this model: ${tools.join(', ')})`;
    return unsupportedValue(
      param,
      `${shown(value)} runs at the provider for a fee and is not sold with ${model}${sold}; remove ` +
        'it, or define a tool of your own',
    );
  }

  /** Replaces the id of a person or cache with a digest: other accounts may use the same id. */
  #writeDigest(name: string, member: string | null, value: unknown): void {
    const text = member === null ? value : asJsonObject(value)?.[member];
    if (typeof text !== 'string' || text === '') {
      this.#leaveOut(name, false);
      return;
    }
    const { accountId, isTranslated, target } = this.#ask;
    const digest = identityDigest(accountId, text);
    if (!isTranslated || target?.get(name)?.class === 'identity') {
      this.#edits.set(name, JSON.stringify(member === null ? digest : { [member]: digest }));
    } else if (name === 'metadata') {
      this.#edits.set('user', JSON.stringify(digest));
    } else if (name === 'safety_identifier' || (name === 'user' && !this.#edits.has('metadata'))) {
      this.#edits.set('metadata', JSON.stringify({ user_id: digest }));
    }
  }
}

const isPriced = ({ rows, multiples, admits }: Terms, by: Condition): boolean =>
  admits[by].length > 0 ||
  (by !== 'imageDetail' &&
    by !== 'cacheTtl' &&
    [...rows, ...multiples].some(({ when }) => when[by] !== undefined));

type PricedRule = Extract<FieldRule, { readonly class: 'priced' }>;

/** Whether the operator's `pass` setting sends this field unchanged, whatever its rule. */
export const passes = (pass: UpstreamFields['pass'], name: string): boolean =>
  pass === 'all' || pass.has(name);

/** Returns the digest that providers get instead of the caller's id for a person or a cache. */
export const identityDigest = (accountId: string, name: string): string =>
  hash('sha256', `${accountId}\n${name}`, 'hex').slice(0, DIGEST_CHARACTERS);

/** The length of a digest: enough to be unique, and short enough for every provider. */
const DIGEST_CHARACTERS = 32;
const TOO_LONG = Symbol('a value of more than MAX_VALUE_BYTES');

function memberValue(body: ScannedObject, name: string, of: FieldRule['class']): unknown {
  const { start = 0, end = 0 } = body.members.get(name) ?? {};
  if (of !== 'identity' && end - start > MAX_VALUE_BYTES) return TOO_LONG;
  return JSON.parse(memberText(body, name) ?? 'null');
}

const isIdle = (value: unknown, idle: readonly unknown[]): boolean =>
  idle.some((each) => each === value) || (Array.isArray(value) && value.length === 0);

const MAX_SHOWN_CHARACTERS = 64;
const shown = (value: unknown): string =>
  typeof value === 'string' ? `"${value.slice(0, MAX_SHOWN_CHARACTERS)}"` : 'this value';

/** Records a nested value, to check it for each route, unless its rule allows every value. */
export function claim(claims: Claim[], param: string, rule: FieldRule, value: unknown): void {
  if (rule.class !== 'free' && rule.class !== 'bounded') claims.push({ param, rule, value });
}

/** Returns the object with the edits applied; the same object if there are no edits. */
export function withEdits(object: JsonObject, edits: FieldEdits): JsonObject {
  if (edits.size === 0) return object;
  const edited: Record<string, unknown> = { ...object };
  for (const [name, text] of edits) {
    if (text === null) delete edited[name];
    else edited[name] = JSON.parse(text);
  }
  return edited;
}
