/**
 * The second step of the guided form that connects a provider: select the provider's models to
 * sell, and send one of them a test request.
 */
import { Button, Group, Stack, TagsInput, Text } from '@mantine/core';
import { IconPlugConnected } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { FormProblem } from '#components/forms/form-problem.tsx';
import { useTexts } from '#i18n/texts.ts';
import { UpstreamFindings } from '#screens/admin/channels/upstream-findings.tsx';
import { MAX_SOLD, type SoldModel } from './provider-draft.ts';
import type { ProviderModels, UpstreamTest } from './provider-queries.ts';
import { providerTexts } from './provider-texts.ts';
import { StepFooter } from './step-footer.tsx';
import { useWrongFocus } from './wrong-focus.ts';

/** The maximum number of suggestions shown at once. The person finds others by typing. */
const MAX_SHOWN = 100;

export type SoldStepProps = {
  /** Sends a test request to one of the models. */
  readonly test: (model: SoldModel) => Promise<UpstreamTest>;
  readonly list: ProviderModels | null;
  readonly sold: readonly SoldModel[];
  readonly onChange: (names: readonly string[]) => void;
  /** Goes back to the previous step; null if this is the first step. */
  readonly onBack: (() => void) | null;
  readonly onDone: () => void;
};

export function SoldStep({ test, list, sold, onChange, onBack, onDone }: SoldStepProps) {
  const t = useTexts(providerTexts);
  const [wrong, setWrong] = useState<string | null>(null);
  const form = useWrongFocus(wrong);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (sold.length > 0) onDone();
    else setWrong(t('soldMissing'));
  };
  const change = (chosen: readonly string[]): void => {
    setWrong(chosen.length > MAX_SOLD ? t('soldMany', { most: MAX_SOLD }) : null);
    onChange(chosen.slice(0, MAX_SOLD));
  };
  const [first] = sold;
  return (
    <form ref={form} onSubmit={submit} noValidate>
      <Stack>
        <TagsInput
          label={t('sold')}
          description={list === null ? t('soldTyped') : t('soldHint', { count: list.data.length })}
          data={list?.data.map(({ id }) => id) ?? []}
          limit={MAX_SHOWN}
          value={sold.map(({ there }) => there)}
          error={wrong}
          acceptValueOnBlur
          clearable
          onChange={change}
        />
        {list === null || list.left_out === 0 ? null : (
          <Text variant="note">{t('leftOut', { count: list.left_out })}</Text>
        )}
        {first === undefined ? null : <Test key={first.there} test={test} model={first} />}
        <StepFooter next={t('next')} {...(onBack === null ? {} : { onBack })} />
      </Stack>
    </form>
  );
}

type TestProps = Pick<SoldStepProps, 'test'> & { readonly model: SoldModel };

function Test({ test, model }: TestProps) {
  const t = useTexts(providerTexts);
  const testing = useMutation({ mutationFn: () => test(model) });
  return (
    <Stack gap="sm">
      <Group>
        <Button
          variant="default"
          leftSection={<IconPlugConnected size={16} />}
          loading={testing.isPending}
          onClick={() => testing.mutate()}
        >
          {t('test')}
        </Button>
        <Text variant="note" style={{ overflowWrap: 'anywhere' }}>
          {t(model.kind === 'chat' ? 'testHint' : `testHint_${model.kind}`, { model: model.there })}
        </Text>
      </Group>
      <FormProblem error={testing.error} />
      <div role="status">
        {testing.data === undefined ? null : <UpstreamFindings found={testing.data} />}
      </div>
    </Stack>
  );
}
