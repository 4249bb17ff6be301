/**
 * The first step of the guided form that connects a provider: the kind of provider, its address and
 * its key. Reading the provider's model list tests the address and the key.
 */
import {
  Checkbox,
  type InputWrapperProps,
  PasswordInput,
  Radio,
  Select,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError } from '#api/api-error.ts';
import { oneOf } from '#api/lists.ts';
import { useFieldProblem } from '#components/forms/field-problem.ts';
import { FormProblem } from '#components/forms/form-problem.tsx';
import { useTexts } from '#i18n/texts.ts';
import { ListProblem } from './list-problem.tsx';
import {
  isUpstreamName,
  type Provider,
  type ProviderFields,
  type Settings,
} from './provider-draft.ts';
import { type ProviderModels, readModels } from './provider-queries.ts';
import { providerTexts } from './provider-texts.ts';
import classes from './providers.module.css';
import { StepFooter } from './step-footer.tsx';
import { useWrongFocus } from './wrong-focus.ts';

export type ProviderStepProps = {
  readonly providers: readonly Provider[];
  readonly fields: ProviderFields;
  readonly upstreams: Settings;
  readonly onChange: (fields: ProviderFields) => void;
  /** Called with the provider's list of models; null if the person continues without a list. */
  readonly onDone: (list: ProviderModels | null) => void;
};

type Wrong = Partial<Record<keyof ProviderFields, string>>;
const PROTOCOLS = ['openai', 'anthropic'] as const;

export function ProviderStep(props: ProviderStepProps) {
  const { fields, onChange, onDone } = props;
  const t = useTexts(providerTexts);
  const [wrong, setWrong] = useState<Wrong>({});
  const form = useWrongFocus(wrong);
  const fieldProblem = useFieldProblem();
  const checksOf = useChecks(props);
  const reading = useMutation({
    mutationFn: () => readModels(fields),
    onSuccess: (list) => {
      if (list.problem === null) onDone(list);
    },
    onError: (error) => {
      const param = error instanceof ApiError ? error.param : null;
      if (param !== null && param in fields) {
        setWrong({ [param]: fieldProblem(error) ?? error.message });
      }
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const found = checksOf();
    setWrong(found);
    if (Object.keys(found).length === 0 && !reading.isPending) reading.mutate();
  };
  const change = (changed: Partial<ProviderFields>): void => {
    setWrong({});
    reading.reset();
    onChange({ ...fields, ...changed });
  };
  const { error } = reading;
  const isAtField = error instanceof ApiError && error.param !== null && error.param in fields;
  const problem = reading.data?.problem ?? null;
  return (
    <form ref={form} onSubmit={submit} noValidate>
      <Stack>
        <Makes {...props} onPick={change} />
        <Fields {...{ ...props, wrong, change }} />
        {problem === null ? null : <ListProblem problem={problem} />}
        <FormProblem error={isAtField ? null : error} />
        <StepFooter
          next={t('next')}
          isRunning={reading.isPending}
          {...(problem === null ? {} : { skip: t('withoutList'), onSkip: () => onDone(null) })}
        />
      </Stack>
    </form>
  );
}

/** Returns the validation that runs before anything is sent. */
function useChecks({ providers, fields, upstreams }: ProviderStepProps): () => Wrong {
  const t = useTexts(providerTexts);
  return () => {
    const { name, base_url: baseUrl, api_key: key, make } = fields;
    const needsKey = providers.find((each) => each.make === make)?.needs_key === true;
    const isTaken = Object.hasOwn(upstreams, name);
    return {
      ...(isUpstreamName(name) ? {} : { name: t('nameWrong') }),
      ...(isTaken ? { name: t('nameTaken') } : {}),
      ...(baseUrl.trim() === '' ? { base_url: t('addressMissing') } : {}),
      ...(needsKey && key.trim() === '' ? { api_key: t('keyMissing') } : {}),
    };
  };
}

type MakesProps = Pick<ProviderStepProps, 'providers' | 'fields' | 'upstreams'> & {
  readonly onPick: (fields: Partial<ProviderFields>) => void;
};

/** The kinds of provider to choose from: first hosted ones, then servers that operators run. */
function Makes({ providers, fields, upstreams, onPick }: MakesProps) {
  const t = useTexts(providerTexts);
  const pick = (value: string): void => {
    const provider = providers.find(({ make }) => make === value);
    if (provider === undefined) return;
    const { make, protocol, base_url: baseUrl, own_server: isOwn } = provider;
    onPick({
      ...{ make, protocol },
      name: freeName(make.replace('generic', 'provider'), upstreams),
      base_url: baseUrl ?? '',
      // Private addresses are allowed for a server that the operator runs, because such a server is
      // nearly always in the gateway's private network.
      allow_private: isOwn && baseUrl !== null,
    });
  };
  return (
    <Radio.Group label={t('make')} value={fields.make} onChange={pick}>
      {([false, true] as const).map((isOwn) => (
        <Stack key={String(isOwn)} gap={4} mt={isOwn ? 'sm' : 4}>
          <Text variant="caption">{t(isOwn ? 'ownServer' : 'hosted')}</Text>
          <SimpleGrid cols={{ base: 2, xs: 3, md: 5 }} spacing="xs">
            {providers
              .filter((provider) => provider.own_server === isOwn)
              .map(({ make, name }) => (
                <Radio.Card key={make} value={make} className={classes['make'] ?? ''}>
                  <Text size="sm" fw={500} truncate>
                    {make === 'generic' ? t('compatible') : name}
                  </Text>
                </Radio.Card>
              ))}
          </SimpleGrid>
        </Stack>
      ))}
    </Radio.Group>
  );
}

function freeName(name: string, upstreams: Settings): string {
  if (!Object.hasOwn(upstreams, name)) return name;
  let at = 2;
  while (Object.hasOwn(upstreams, `${name}-${at}`)) at += 1;
  return `${name}-${at}`;
}

/**
 * The order of a field's parts. Hints are below the inputs, so that adjacent inputs are aligned.
 */
const ORDER: NonNullable<InputWrapperProps['inputWrapperOrder']> = [
  'label',
  'input',
  'description',
  'error',
];

type FieldsProps = ProviderStepProps & {
  readonly wrong: Wrong;
  readonly change: (fields: Partial<ProviderFields>) => void;
};

function Fields({ providers, fields, wrong, change }: FieldsProps) {
  const t = useTexts(providerTexts);
  const provider = providers.find(({ make }) => make === fields.make);
  const isFree = fields.make === 'generic' || fields.make === 'modelgate';
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label={t('name')}
          inputWrapperOrder={ORDER}
          description={t('nameHint')}
          maxLength={32}
          value={fields.name}
          error={wrong.name}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <TextInput
          label={t('address')}
          inputWrapperOrder={ORDER}
          description={isFree ? null : (provider?.base_url ?? null)}
          maxLength={500}
          value={fields.base_url}
          error={wrong.base_url}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => change({ base_url: event.currentTarget.value })}
        />
        <PasswordInput
          label={t('key')}
          inputWrapperOrder={ORDER}
          description={t(provider?.needs_key === true ? 'keyHint' : 'keyOptional')}
          maxLength={8192}
          value={fields.api_key}
          error={wrong.api_key}
          autoComplete="off"
          onChange={(event) => change({ api_key: event.currentTarget.value })}
        />
        {isFree ? (
          <Select
            label={t('protocol')}
            allowDeselect={false}
            data={PROTOCOLS.map((value) => ({ value, label: t(value) }))}
            value={fields.protocol}
            onChange={(value) => change({ protocol: oneOf(PROTOCOLS, value) ?? 'openai' })}
          />
        ) : null}
      </SimpleGrid>
      <Checkbox
        label={t('allowPrivate')}
        description={t('allowPrivateHint')}
        checked={fields.allow_private}
        onChange={(event) => change({ allow_private: event.currentTarget.checked })}
      />
    </>
  );
}
