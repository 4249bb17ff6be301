/**
 * Explains a refused or failed request: the remedy, the log entry of the request, and ways to get
 * credit.
 */
import { ApiError } from '#api/api-error.ts';
import { ApiProblem, type ApiProblemProps } from '#components/api-problem.tsx';
import { ButtonLink } from '#components/button-link.tsx';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { GetCredit } from './get-credit.tsx';

const texts = defineTexts('request-problem', {
  en: { find: 'Find in requests' },
  zh: { find: '在请求日志中查找' },
});

export function RequestProblem({ error, ...rest }: ApiProblemProps) {
  const t = useTexts(texts);
  const { code, requestId } = error instanceof ApiError ? error : { code: null, requestId: null };
  return (
    <ApiProblem
      {...rest}
      error={error}
      actions={
        requestId === null ? null : (
          <ButtonLink size="xs" variant="default" to="/requests" search={{ id: requestId }}>
            {t('find')}
          </ButtonLink>
        )
      }
    >
      {code === 'insufficient_balance' ? <GetCredit /> : null}
    </ApiProblem>
  );
}
