/** A form that sends a request with the visitor's key, which is kept in memory only. */
import { Button, Group, JsonInput, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { CodeBlock } from '#code/code-block.tsx';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import type { ExampleRequest } from './examples.ts';
import { referenceTexts } from './reference-texts.ts';

/** The maximum number of characters of a response that are shown. A base64 image has millions. */
const MAX_SHOWN = 20_000;

/** The API key that all forms of the page share. A reload of the page discards it. */
let typedKey = '';

type Outcome =
  | { readonly kind: 'refused'; readonly why: 'notJson' | 'notHere' | 'unreachable' }
  | { readonly kind: 'sending' }
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly cost: string | null;
      readonly tookMs: number;
      readonly text: string;
    };

export function TryIt({ request }: { readonly request: ExampleRequest }) {
  const t = useTexts(referenceTexts);
  const [key, setKey] = useState(typedKey);
  const [path, setPath] = useState(request.path);
  const [body, setBody] = useState(
    request.body === null ? '' : JSON.stringify(request.body, null, 2),
  );
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const submit = async (): Promise<void> => {
    setOutcome({ kind: 'sending' });
    setOutcome(await sent({ method: request.method, path, body, key }));
  };
  return (
    <Stack
      component="form"
      gap="sm"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {request.scheme === undefined ? null : (
        <PasswordInput
          label={t('key')}
          description={t('keyHint')}
          placeholder="sk-mg-…"
          autoComplete="off"
          maw={520}
          value={key}
          onChange={({ currentTarget: { value } }) => {
            typedKey = value;
            setKey(value);
          }}
        />
      )}
      <TextInput
        label={t('address')}
        maw={520}
        ff="monospace"
        value={path}
        onChange={({ currentTarget: { value } }) => setPath(value)}
      />
      {request.body === null ? null : (
        <JsonInput
          label={t('body')}
          autosize
          minRows={3}
          maxRows={16}
          spellCheck={false}
          value={body}
          onChange={setBody}
        />
      )}
      <Group>
        <Button type="submit" size="xs" variant="default" loading={outcome?.kind === 'sending'}>
          {t('send')}
        </Button>
        {outcome?.kind === 'refused' ? (
          <Text size="sm" c="red" role="alert">
            {t(outcome.why)}
          </Text>
        ) : null}
      </Group>
      {outcome?.kind === 'answered' ? <Answer {...outcome} /> : null}
    </Stack>
  );
}

function Answer({ status, cost, tookMs, text }: Extract<Outcome, { kind: 'answered' }>) {
  const t = useTexts(referenceTexts);
  const { duration, count } = useFormats();
  const isCut = text.length > MAX_SHOWN;
  const facts = [String(status), duration(tookMs), ...(cost === null ? [] : [cost])];
  return (
    <Stack gap="xs">
      <Text size="sm" role="status">
        {facts.join(' · ')}
      </Text>
      <CodeBlock code={text.slice(0, MAX_SHOWN)} language="json" label={t('answers')} />
      {isCut ? <Text variant="caption">{t('cut', { count: count(MAX_SHOWN) })}</Text> : null}
    </Stack>
  );
}

type Typed = {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly key: string;
};

/** Sends the request to this gateway with the typed key, without the person's session. */
async function sent({ method, path, body, key }: Typed): Promise<Outcome> {
  const address = path.startsWith('/') ? new URL(path, location.origin) : null;
  if (address?.origin !== location.origin) return { kind: 'refused', why: 'notHere' };
  if (body !== '' && pretty(body) === null) return { kind: 'refused', why: 'notJson' };
  const startedMs = performance.now();
  try {
    const answer = await fetch(address, {
      method,
      credentials: 'omit',
      headers: {
        ...(key.trim() === '' ? {} : { authorization: `Bearer ${key.trim()}` }),
        ...(body === '' ? {} : { 'content-type': 'application/json' }),
      },
      body: body === '' ? null : body,
    });
    const text = await answer.text();
    return {
      kind: 'answered',
      status: answer.status,
      cost: answer.headers.get('x-cost'),
      tookMs: performance.now() - startedMs,
      text: pretty(text) ?? text,
    };
  } catch (thrown) {
    if (!(thrown instanceof TypeError)) throw thrown;
    return { kind: 'refused', why: 'unreachable' };
  }
}

/** Returns JSON with line breaks and indentation; null if the text is not JSON. */
function pretty(text: string): string | null {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) throw thrown;
    return null;
  }
}
