/** Explains why a provider's model list could not be read, and quotes the provider's message. */
import { Alert, Code, Text } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useTexts } from '#i18n/texts.ts';
import type { ProviderModels } from './provider-queries.ts';
import { providerTexts } from './provider-texts.ts';

type ListProblemProps = { readonly problem: NonNullable<ProviderModels['problem']> };

export function ListProblem({ problem }: ListProblemProps) {
  const t = useTexts(providerTexts);
  return (
    <Alert color="red" variant="light" role="alert" icon={<IconPlugConnectedX />}>
      <Text size="sm" title={problem.message}>
        {t(`problem_${problem.code}`)}
      </Text>
      {problem.error === null ? null : (
        <>
          <Text variant="caption" mt="xs" mb={4}>
            {t('says')}
          </Text>
          <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {problem.error}
          </Code>
        </>
      )}
    </Alert>
  );
}
