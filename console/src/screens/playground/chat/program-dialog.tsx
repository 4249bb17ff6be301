/**
 * A dialog that shows the request of an answer as program code for each client that supports the
 * request.
 */
import { Skeleton } from '@mantine/core';
import { Suspense } from 'react';
import { useGatewayAddress } from '#api/gateway-address.ts';
import { Dialog } from '#components/dialog.tsx';
import { lazyPart } from '#components/lazy-part.ts';
import { useTexts } from '#i18n/texts.ts';
import type { Json } from '#snippets/literal.ts';
import type { ProgramTabsProps } from '#snippets/program-tabs.tsx';
import type { ModelRequest } from '#snippets/request.ts';
import { chatTexts } from './chat-texts.ts';

/** The tabs with the code, loaded on demand because few people ask for the code. */
const ProgramTabs = lazyPart<ProgramTabsProps>(
  async () => (await import('#snippets/program-tabs.tsx')).ProgramTabs,
);
const PROGRAM_PX = 320;

export type ProgramDialogProps = {
  /** The shown request; null while the dialog is closed. */
  readonly request: ModelRequest | null;
  readonly onClose: () => void;
};

export function ProgramDialog({ request, onClose }: ProgramDialogProps) {
  const t = useTexts(chatTexts);
  const baseUrl = useGatewayAddress();
  return (
    <Dialog opened={request !== null} onClose={onClose} title={t('code')} size="xl">
      {request === null ? null : (
        <Suspense fallback={<Skeleton height={PROGRAM_PX} />}>
          <ProgramTabs target={{ baseUrl, key: null }} request={shortened(request)} />
        </Suspense>
      )}
    </Dialog>
  );
}

/** The number of characters shown of a data URL, enough to see its type. */
const SHOWN_CHARACTERS = 64;

/** Prepares a request for display. Attachments are shortened, since they would fill the page. */
function shortened(request: ModelRequest): ModelRequest {
  if (request.kind !== 'chat') return request;
  return {
    ...request,
    messages: request.messages.map((message) => ({
      ...message,
      content: shortenedJson(message.content),
    })),
  };
}

function shortenedJson(value: Json): Json {
  if (typeof value === 'string') {
    const isCut = value.startsWith('data:') && value.length > SHOWN_CHARACTERS;
    return isCut ? `${value.slice(0, SHOWN_CHARACTERS)}…` : value;
  }
  if (Array.isArray(value)) return value.map(shortenedJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, shortenedJson(each)]),
  );
}
