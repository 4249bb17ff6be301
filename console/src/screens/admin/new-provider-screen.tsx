/**
 * The guided form that connects a provider: kind and key, models, prices, and a single save. For an
 * existing upstream, the form begins with the models.
 */
import { Alert, Card, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { asObject } from '#api/json.ts';
import { ApiProblem } from '#components/api-problem.tsx';
import { ButtonLink, TextLink } from '#components/button-link.tsx';
import { StepList } from '#components/forms/step-list.tsx';
import { forgetUnsaved, useUnsaved } from '#components/forms/unsaved.ts';
import { Page } from '#components/page.tsx';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import { testUpstream } from './channels/channel-queries.ts';
import { ListProblem } from './providers/list-problem.tsx';
import { PricesStep } from './providers/prices-step.tsx';
import {
  type Provider,
  type ProviderFields,
  type Settings,
  type SoldModel,
  soldModel,
} from './providers/provider-draft.ts';
import {
  type ConfigChange,
  configQuery,
  type ProviderModels,
  providersQuery,
  sectionOf,
  testProvider,
  upstreamModelsQuery,
} from './providers/provider-queries.ts';
import { ProviderStep } from './providers/provider-step.tsx';
import { providerTexts } from './providers/provider-texts.ts';
import { ReviewStep } from './providers/review-step.tsx';
import { SoldStep } from './providers/sold-step.tsx';

const route = getRouteApi('/app/admin/providers/new');
const WIDTH_PX = 960;

export function NewProviderScreen() {
  const t = useTexts(providerTexts);
  const { upstream = null } = route.useSearch();
  const config = useQuery(configQuery);
  const providers = useQuery(providersQuery);
  const error = config.error ?? providers.error;
  const isLoaded = config.data !== undefined && providers.data !== undefined;
  return (
    <Page
      title={upstream === null ? t('title') : t('addTitle', { name: upstream })}
      parent={
        upstream === null ? (
          <TextLink to="/admin/routes" search={{ tab: 'upstreams' }}>
            {t('back')}
          </TextLink>
        ) : (
          <TextLink to="/admin/routes/upstreams/$name" params={{ name: upstream }}>
            {upstream}
          </TextLink>
        )
      }
    >
      {error === null ? null : (
        <ApiProblem
          error={error}
          onRetry={() => void Promise.all([config.refetch(), providers.refetch()])}
        />
      )}
      {!isLoaded && error === null ? <Skeleton height={480} maw={WIDTH_PX} /> : null}
      {config.data?.mode === 'file' ? (
        <Alert variant="light">{t('inFile', { file: config.data.file })}</Alert>
      ) : null}
      {isLoaded && config.data.mode === 'database' ? (
        upstream === null ? (
          <Guide providers={providers.data.data} document={config.data.document} />
        ) : (
          <Existing
            name={upstream}
            providers={providers.data.data}
            document={config.data.document}
          />
        )
      ) : null}
    </Page>
  );
}

/**
 * The guide for an existing upstream. It first reads the upstream's model list. If that fails, the
 * person can type the names of models.
 */
function Existing({ name, ...props }: Omit<GuideProps, 'existing'> & { readonly name: string }) {
  const { data, error, refetch } = useQuery(upstreamModelsQuery(name));
  if (error !== null) return <ApiProblem error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton height={320} maw={WIDTH_PX} />;
  return (
    <>
      {data.problem === null ? null : <ListProblem problem={data.problem} />}
      <Guide {...props} existing={{ name, list: data.problem === null ? data : null }} />
    </>
  );
}

const STEPS = ['provider', 'models', 'prices', 'review'] as const;
type Step = (typeof STEPS)[number];

type GuideProps = {
  readonly providers: readonly Provider[];
  readonly document: Settings;
  /**
   * The existing upstream to which models are added, with its list of models; omitted for a new
   * upstream.
   */
  readonly existing?: { readonly name: string; readonly list: ProviderModels | null };
};

const EMPTY: ProviderFields = {
  make: 'generic',
  protocol: 'openai',
  name: '',
  base_url: '',
  api_key: '',
  allow_private: false,
};

/**
 * Returns the form's fields for an existing upstream, without its key, which stays on the gateway.
 */
function fieldsOf(
  { name }: { readonly name: string },
  document: Settings,
  known: readonly Provider[],
) {
  const written = asObject(sectionOf(document, 'upstreams')[name])?.['make'];
  const make = known.find((each) => each.make === written)?.make ?? EMPTY.make;
  return { ...EMPTY, name, make };
}

function Guide({ providers, document, existing }: GuideProps) {
  const t = useTexts(providerTexts);
  const isNew = existing === undefined;
  const steps = isNew ? STEPS : STEPS.slice(1);
  const [step, setStep] = useState<Step>(isNew ? 'provider' : 'models');
  const [fields, setFields] = useState(() =>
    isNew ? EMPTY : fieldsOf(existing, document, providers),
  );
  const [list, setList] = useState<ProviderModels | null>(existing?.list ?? null);
  const [sold, setSold] = useState<readonly SoldModel[]>([]);
  const [saved, setSaved] = useState<ConfigChange | null>(null);
  useUnsaved(saved === null && (isNew ? fields !== EMPTY : sold.length > 0));
  const models = sectionOf(document, 'models');
  const choose = (names: readonly string[]): void =>
    setSold(
      names.map(
        (there) =>
          sold.find((each) => each.there === there) ??
          soldModel(
            there,
            list?.data.find(({ id }) => id === there),
          ),
      ),
    );
  const parts = {
    provider: () => (
      <ProviderStep
        {...{ providers, fields }}
        upstreams={sectionOf(document, 'upstreams')}
        onChange={setFields}
        onDone={(found) => {
          setList(found);
          setStep('models');
        }}
      />
    ),
    models: () => (
      <SoldStep
        list={list}
        test={({ there, kind }) =>
          isNew
            ? testProvider(fields, there, kind)
            : testUpstream({ name: fields.name, model: there, kind })
        }
        sold={sold}
        onChange={choose}
        onBack={isNew ? () => setStep('provider') : null}
        onDone={() => setStep('prices')}
      />
    ),
    prices: () => (
      <PricesStep
        {...{ sold, models }}
        onChange={setSold}
        onBack={() => setStep('models')}
        onDone={() => setStep('review')}
      />
    ),
    review: () => (
      <ReviewStep
        {...{ fields, sold, isNew }}
        onBack={() => setStep('prices')}
        onSaved={(change) => {
          forgetUnsaved();
          setSaved(change);
        }}
      />
    ),
  };
  if (saved !== null)
    return <Saved {...{ sold, isNew }} name={fields.name} isInForce={saved.in_force} />;
  return (
    <Card maw={WIDTH_PX} w="100%">
      <StepList
        label={t('steps')}
        steps={steps.map((name) => t(name))}
        current={steps.indexOf(step)}
      />
      {parts[step]()}
    </Card>
  );
}

type SavedProps = {
  readonly name: string;
  readonly isNew: boolean;
  readonly sold: readonly SoldModel[];
  readonly isInForce: boolean;
};

function Saved({ name, isNew, sold, isInForce }: SavedProps) {
  const t = useTexts(providerTexts);
  const { setup = false } = route.useSearch();
  const { list } = useFormats();
  const names = [...new Set(sold.map(({ here }) => here))];
  return (
    <Card maw={WIDTH_PX} w="100%" role="status">
      <Stack>
        <Text fw={600}>{t(isNew ? 'savedTitle' : 'addedTitle')}</Text>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {t(isInForce ? 'saved' : 'savedSoon', { models: list(names) })}
        </Text>
        <Group>
          {setup ? (
            <ButtonLink to="/setup" search={{ step: 'key' }}>
              {t('toSetup')}
            </ButtonLink>
          ) : (
            <ButtonLink to="/playground">{t('tryIt')}</ButtonLink>
          )}
          <ButtonLink variant="default" to="/admin/routes/upstreams/$name" params={{ name }}>
            {t('toUpstream', { name })}
          </ButtonLink>
        </Group>
      </Stack>
    </Card>
  );
}
