/** A cURL command that repeats a request without its content. Loads when a request is opened. */
import { useGatewayAddress } from '#api/gateway-address.ts';
import type { RequestDetails } from '#bill/request-details.ts';
import { CodeBlock } from '#code/code-block.tsx';
import { useTexts } from '#i18n/texts.ts';
import { requestTexts } from './request-texts.ts';
import { skeletonCurl } from './skeleton-curl.ts';

export function RequestCurl({ request }: { readonly request: RequestDetails }) {
  const t = useTexts(requestTexts);
  const address = useGatewayAddress();
  return <CodeBlock code={skeletonCurl(request, address)} language="bash" label={t('curl')} />;
}
