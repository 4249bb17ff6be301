/** The kinds of upstream refusals, with the error codes and message texts that identify them. */

/** The reason why an upstream refuses a request. It decides who can fix the problem. */
export type Refusal =
  /** The request is refused, and the caller can fix it. */
  | 'request'
  | 'too_large'
  | 'context_length'
  | 'content_policy'
  /** The model accepts no encrypted reasoning, or the operator's account cannot decrypt it. */
  | 'encrypted_content'
  /** The operator's account is refused for its key, balance or permissions. */
  | 'key'
  | 'balance'
  | 'rights'
  /** The configuration has a wrong model or address. */
  | 'model'
  | 'address'
  /** The upstream is overloaded, which is temporary. */
  | 'overload'
  /** One request exceeds the operator's rate limit. Another route may allow it. */
  | 'over_rate'
  | 'timeout'
  | 'failure';

type RefusalPattern = {
  readonly refusal: Refusal;
  /** Matches the code or type, in lower case. */
  readonly names?: RegExp;
  readonly words?: RegExp;
  /** The only HTTP status for which the pattern counts; absent for any. */
  readonly status?: number;
  /**
   * Whether a match of `names` also counts for a 5xx status. A match of `words` never counts for a
   * 5xx.
   */
  readonly isSure?: true;
};

const CONTEXT = {
  names: /context_(?:length|window)|contextwindow|exceed_context_size|string_above_max/,
  // Matches messages of OpenAI, Anthropic, vLLM, SGLang, llama.cpp, Ollama, xAI and others.
  words:
    /context (?:length|window|limit)|prompt is too long|maximum model length|longer than the model's|available context size|exceeds? (?:the )?(?:maximum )?context|exceeded model token limit|maximum prompt length|too large for model|input token count .{0,20}exceeds|input is too long|ContextWindowExceeded/i,
  isSure: true,
} as const;

/** The patterns in order. The first match decides. */
export const REFUSAL_PATTERNS: readonly RefusalPattern[] = [
  {
    refusal: 'balance',
    names:
      /insufficient_(?:\w{1,40}_)?(?:quota|balance|credits?|funds)|exceeded_current_quota|billing|budget_exceeded|payment_required|quota_exhausted|\barrearage\b/,
    words:
      /\binsufficient (?:account )?(?:balance|quota|credits?|funds)\b|exceeded your current quota|credit balance is too low|(?:used all|run out|out of) (?:of )?(?:your |the )?(?:available )?credits|billing hard limit|budget has been exceeded|reached your specified (?:\w+ )?usage limits|account is not active, please check your billing/i,
  },
  {
    refusal: 'key',
    names: /\binvalid_(?:api_)?key\b|authentication|\bunauthori[sz]ed\b|account_deactivated/,
    words:
      /\b(?:incorrect|invalid|expired|missing) (?:x-)?api[ -]?key|api key (?:is )?(?:not valid|invalid|expired)|no api key/i,
  },
  // OpenAI and Anthropic report account problems with a 400 as well. Further on in a message, the
  // words may be a caller's.
  {
    refusal: 'rights',
    words: /^(?:your|this) organi[sz]ation (?:must be verified|has been disabled)/i,
  },
  // OpenAI: "Request too large for m in organization o on tokens per min (TPM): Limit 30000, …"
  {
    refusal: 'over_rate',
    words: /\brequest too large for\b.{0,200}\bper (?:min|minute|day)\b/is,
    status: 429,
  },
  {
    refusal: 'content_policy',
    names: /content_policy|moderation|content_?filter|data_?inspection|\bsafety\b|responsible_?ai/,
    words:
      /content (?:management |filtering |usage )?policy|content exists risk|safety system|violates? (?:our |the )?(?:usage|content|safety) (?:guidelines|polic)|was flagged|requires moderation|data may contain inappropriate content/i,
    isSure: true,
  },
  // Anthropic: "messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound
  // to a different conversation."
  {
    refusal: 'encrypted_content',
    names: /\binvalid_encrypted_content\b/,
    words:
      /\bencrypted content (?:is not supported|.{1,200} could not be (?:verified|decrypted))|\binvalid [`'"]?(?:signature|data)[`'"]? in [`'"]?(?:redacted_)?thinking\b/i,
  },
  // If a 429 mentions the context, the upstream means a rate limit, not the context window.
  { ...CONTEXT, refusal: 'overload', status: 429 },
  { ...CONTEXT, refusal: 'context_length' },
  {
    refusal: 'model',
    names: /\bmodel_(?:not_(?:found|exist|available)|not_supported|decommissioned)\b/,
    words:
      /\bmodel:?\s{0,3}(?:[`'"]?[\w./:@-]{1,200}[`'"]?,?\s{0,3})?(?:does not exist|not exist|is not found|not found|has been deprecated)\b|\b(?:unknown|invalid) model\b|is not a valid model\b/i,
  },
  {
    refusal: 'overload',
    names: /overloaded|rate_?limit|too_many_requests|server_busy|service_unavailable/,
    isSure: true,
  },
];
