/**
 * Loads the catalog, with a placeholder meanwhile. People who may not see the catalog get an
 * explanation.
 */
import { IconLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { ApiError } from '#api/api-error.ts';
import { modelTexts } from '#catalogue/model-texts.ts';
import { type Model, useModels } from '#catalogue/models.ts';
import { ApiProblem } from '#components/api-problem.tsx';
import { ButtonLink } from '#components/button-link.tsx';
import { Empty } from '#components/empty.tsx';
import { useTexts } from '#i18n/texts.ts';

export type CatalogGateProps = {
  readonly placeholder: ReactNode;
  readonly children: (models: readonly Model[]) => ReactNode;
};

export function CatalogGate({ placeholder, children }: CatalogGateProps) {
  const { data, error, refetch } = useModels();
  if (data !== undefined) return children(data);
  if (error === null) return placeholder;
  if (isClosed(error)) return <Closed />;
  return <ApiProblem error={error} onRetry={() => void refetch()} />;
}

/** Whether the API refused the catalog because only people with a key or a session may see it. */
export const isClosed = (error: Error): boolean =>
  error instanceof ApiError && error.status === 401;

/** An explanation shown instead of a page that the operator shows only to signed-in people. */
export function Closed() {
  const t = useTexts(modelTexts);
  return (
    <Empty
      icon={IconLock}
      title={t('closedTitle')}
      action={<ButtonLink to="/sign-in">{t('signIn')}</ButtonLink>}
    >
      {t('closedHint')}
    </Empty>
  );
}
