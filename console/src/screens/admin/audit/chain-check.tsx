/** A button that verifies the hash chain of the audit log. */
import { Alert, Button } from '@mantine/core';
import { IconShieldCheck, IconShieldX } from '@tabler/icons-react';
import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import { ApiProblem } from '#components/api-problem.tsx';
import { useTexts } from '#i18n/texts.ts';
import { checkChain } from './audit-queries.ts';
import { auditTexts } from './audit-texts.ts';

type Check = UseMutationResult<Awaited<ReturnType<typeof checkChain>>, Error, void>;

export const useChainCheck = (): Check => useMutation({ mutationFn: () => checkChain() });

export function ChainCheckButton({ check }: { readonly check: Check }) {
  const t = useTexts(auditTexts);
  return (
    <Button
      variant="default"
      leftSection={<IconShieldCheck size={16} />}
      loading={check.isPending}
      onClick={() => check.mutate()}
    >
      {t('verify')}
    </Button>
  );
}

export function ChainCheckResult({ check }: { readonly check: Check }) {
  const t = useTexts(auditTexts);
  if (check.error !== null) return <ApiProblem error={check.error} />;
  return check.data === undefined ? null : <Result {...check.data} label={t('chain')} />;
}

type ResultProps = Awaited<ReturnType<typeof checkChain>> & { readonly label: string };

function Result({ ok, verified_up_to: upTo, first_broken_id: brokenId, label }: ResultProps) {
  const t = useTexts(auditTexts);
  if (!ok) {
    return (
      <Alert color="red" role="alert" icon={<IconShieldX />} title={label}>
        {t('broken', { id: brokenId ?? upTo })}
      </Alert>
    );
  }
  return (
    <Alert color="green" role="status" icon={<IconShieldCheck />} title={label}>
      {upTo === 0 ? t('soundEmpty') : t('sound', { count: upTo, id: upTo })}
    </Alert>
  );
}
