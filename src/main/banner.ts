/** Makes the text that is printed when the gateway has started. */
import { endsOf, maskOf } from '../accounts/api-key.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { formatAmount } from '../money/amount.ts';
import type { FirstStart } from './first-start.ts';

const TRY_MODEL = 'gen-opus-4-8';

/**
 * Returns the text that is printed when the gateway has started.
 * @param setupUrl the link that creates the first administrator; null if an administrator exists.
 */
export function banner(
  url: string,
  catalogue: Catalogue,
  first: FirstStart | null,
  setupUrl: string | null,
): string {
  const lines = [
    `Modelgate answers at ${url}`,
    `  OpenAI clients:     base URL ${url}/v2`,
    `  Anthropic clients:  base URL ${url}`,
    `  Console:            ${url}/console`,
  ];
  if (setupUrl !== null) {
    lines.push(
      '',
      '  There is no administrator yet. This one-time link creates one:',
      `    ${setupUrl}`,
    );
  }
  if (first !== null) {
    lines.push('', ...keyLines(first), ...creditLines(first));
    const key = first.given ? '$KEY' : first.key.reveal();
    const tryIt = first.given ? 'Try it, with that key in $KEY:' : 'Try it:';
    lines.push('', `  ${tryIt}`, `    ${curlLine(url, key, catalogue)}`);
  }
  const examples = exampleModels(catalogue);
  if (examples.length > 0) {
    lines.push('', `  Example prices; replace them before you sell: ${examples.join(', ')}`);
  }
  return `${lines.join('\n')}\n\n`;
}

/**
 * Returns the lines about the first key. Masks a key that the operator chose, because container
 * logs store this text.
 */
function keyLines({ key, given }: FirstStart): readonly string[] {
  return given
    ? [`  Your first API key is the one in MODELGATE_INIT_KEY: ${maskOf(endsOf(key))}`]
    : ['  Your first API key (shown only once):', `    ${key.reveal()}`];
}

/** Returns the lines about the first account's money. Without money, every request gets a 402. */
function creditLines({ accountId, credit }: FirstStart): readonly string[] {
  if (credit === null) {
    return [
      '  Its account has no money yet. To add some:',
      `    modelgate account credit ${accountId} 10 USD --reason "first credit"`,
    ];
  }
  const { amount, currency, source } = credit;
  const demo = source === 'demo' ? ' of demo credit' : '';
  return [`  Its account has ${formatAmount(amount)} ${currency}${demo}.`];
}

function curlLine(url: string, key: string, catalogue: Catalogue): string {
  const chatModels = [...catalogue.models.values()]
    .filter(({ kind }) => kind === 'chat')
    .map(({ id }) => id);
  const model = chatModels.find((id) => id === TRY_MODEL) ?? chatModels[0] ?? TRY_MODEL;
  const body = JSON.stringify({
    model,
    stream: false,
    messages: [{ role: 'user', content: 'Hello! Who are you?' }],
  });
  return `curl ${url}/v2/chat/completions -H "Authorization: Bearer ${key}" -H "Content-Type: application/json" -d '${body}'`;
}

function exampleModels(catalogue: Catalogue): readonly string[] {
  return [...catalogue.all.values()].flatMap((model) => {
    const channels = [...model.channels.values()]
      .filter(({ card }) => card.example)
      .map(({ name }) => name);
    return channels.length === 0 ? [] : [`${model.id} (${channels.join(', ')})`];
  });
}
