/** The guided form that connects a provider: make and key, models, prices, and one save. */
import { Alert, Card, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiProblem } from '#components/api-problem.tsx';
import { ButtonLink, TextLink } from '#components/button-link.tsx';
import { StepList } from '#components/forms/step-list.tsx';
import { forgetUnsaved, useUnsaved } from '#components/forms/unsaved.ts';
import { Page } from '#components/page.tsx';
import { useTexts } from '#i18n/texts.ts';
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
} from './providers/provider-queries.ts';
import { ProviderStep } from './providers/provider-step.tsx';
import { providerTexts } from './providers/provider-texts.ts';
import { ReviewStep } from './providers/review-step.tsx';
import { SoldStep } from './providers/sold-step.tsx';

const route = getRouteApi('/app/admin/providers/new');
const WIDTH_PX = 960;

export function NewProviderScreen() {
  const t = useTexts(providerTexts);
  const config = useQuery(configQuery);
  const providers = useQuery(providersQuery);
  const error = config.error ?? providers.error;
  const isLoaded = config.data !== undefined && providers.data !== undefined;
  return (
    <Page
      title={t('title')}
      parent={
        <TextLink to="/admin/routes" search={{ tab: 'upstreams' }}>
          {t('back')}
        </TextLink>
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
        <Guide providers={providers.data.data} document={config.data.document} />
      ) : null}
    </Page>
  );
}

const STEPS = ['provider', 'models', 'prices', 'review'] as const;
type Step = (typeof STEPS)[number];

type GuideProps = { readonly providers: readonly Provider[]; readonly document: Settings };

const EMPTY: ProviderFields = {
  make: 'generic',
  protocol: 'openai',
  name: '',
  base_url: '',
  api_key: '',
  allow_private: false,
};

function Guide({ providers, document }: GuideProps) {
  const t = useTexts(providerTexts);
  const [step, setStep] = useState<Step>('provider');
  const [fields, setFields] = useState(EMPTY);
  const [list, setList] = useState<ProviderModels | null>(null);
  const [sold, setSold] = useState<readonly SoldModel[]>([]);
  const [saved, setSaved] = useState<ConfigChange | null>(null);
  useUnsaved(saved === null && fields !== EMPTY);
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
        {...{ fields, list }}
        names={sold.map(({ there }) => there)}
        onChange={choose}
        onBack={() => setStep('provider')}
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
        {...{ fields, sold }}
        onBack={() => setStep('prices')}
        onSaved={(change) => {
          forgetUnsaved();
          setSaved(change);
        }}
      />
    ),
  };
  if (saved !== null) return <Saved sold={sold} isInForce={saved.in_force} />;
  return (
    <Card maw={WIDTH_PX} w="100%">
      <StepList
        label={t('steps')}
        steps={STEPS.map((name) => t(name))}
        current={STEPS.indexOf(step)}
      />
      {parts[step]()}
    </Card>
  );
}

type SavedProps = { readonly sold: readonly SoldModel[]; readonly isInForce: boolean };

function Saved({ sold, isInForce }: SavedProps) {
  const t = useTexts(providerTexts);
  const { setup = false } = route.useSearch();
  const names = [...new Set(sold.map(({ here }) => here))];
  return (
    <Card maw={WIDTH_PX} w="100%" role="status">
      <Stack>
        <Text fw={600}>{t('savedTitle')}</Text>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {t(isInForce ? 'saved' : 'savedSoon', { models: names.join(', ') })}
        </Text>
        <Group>
          {setup ? (
            <ButtonLink to="/setup" search={{ step: 'key' }}>
              {t('toSetup')}
            </ButtonLink>
          ) : (
            <ButtonLink to="/playground">{t('tryIt')}</ButtonLink>
          )}
          <ButtonLink variant="default" to="/admin/routes" search={{ tab: 'upstreams' }}>
            {t('toUpstreams')}
          </ButtonLink>
        </Group>
      </Stack>
    </Card>
  );
}
