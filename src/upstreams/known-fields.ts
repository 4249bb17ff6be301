/**
 * The request fields that known server software adds to its protocol, and what the gateway writes
 * for it. A field that is in no table is not sent.
 */
import type { UpstreamMake } from '../config/upstream-schema.ts';
import { CHAT_FIELDS } from '../protocols/chat/fields.ts';
import { MESSAGES_FIELDS } from '../protocols/messages/fields.ts';
import {
  type FieldRules,
  fieldList,
  type UpstreamFields,
  type WrittenField,
} from '../protocols/request-fields.ts';

export type MakeFields = {
  readonly chat?: FieldRules;
  readonly messages?: FieldRules;
  /** What the provider would decide at the operator's expense if it were left out. */
  readonly writtenChat?: readonly WrittenField[];
  readonly writtenMessages?: readonly WrittenField[];
  readonly sources: readonly string[];
  /** The day on which the sources were read, `YYYY-MM-DD`; null for a row without fields. */
  readonly checked: string | null;
};

const CHECKED = '2026-11-22';
const NONE: MakeFields = { sources: [], checked: null };

export const KNOWN_FIELDS: Readonly<Record<UpstreamMake, MakeFields>> = {
  generic: NONE,

  openai: {
    writtenChat: [
      // Without a tier, a setting of the operator's project decides.
      { name: 'service_tier', text: '"default"', condition: 'tier' },
      // Answers of new projects are stored unless the request says otherwise.
      { name: 'store', text: 'false', condition: null },
    ],
    sources: [
      'https://pypi.org/project/openai/3.54.0/',
      'https://developers.openai.com/api/docs/pricing',
    ],
    checked: CHECKED,
  },

  anthropic: {
    // Without a tier, an old commitment to the priority tier may be used up.
    writtenMessages: [{ name: 'service_tier', text: '"standard_only"', condition: 'tier' }],
    sources: [
      'https://pypi.org/project/anthropic/2.12.0/',
      'https://platform.claude.com/docs/en/api/service-tiers',
    ],
    checked: CHECKED,
  },

  deepseek: NONE,
  vllm: NONE,
  sglang: NONE,
  ollama: NONE,
  'llama.cpp': NONE,
  litellm: NONE,
  openrouter: NONE,
  moonshot: NONE,
  xai: NONE,
  modelgate: NONE,
};

/** Returns the rules for a make and the fields that its operator passes. */
export function fieldsOf(make: UpstreamMake, pass: 'all' | readonly string[]): UpstreamFields {
  const { chat, messages, writtenChat, writtenMessages } = KNOWN_FIELDS[make];
  return {
    lists: {
      chat: fieldList({ ...CHAT_FIELDS.rules, ...chat }, writtenChat),
      messages: fieldList({ ...MESSAGES_FIELDS.rules, ...messages }, writtenMessages),
    },
    pass: pass === 'all' ? pass : new Set(pass),
  };
}

/** The rules of the protocols alone. They apply to requests that a translator rewrites. */
export const PLAIN_FIELDS: UpstreamFields = fieldsOf('generic', []);
