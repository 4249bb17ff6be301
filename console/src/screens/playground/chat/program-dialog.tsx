/** A dialog with the request of an answer as a program for each client that supports it. */
import { useGatewayAddress } from '#api/gateway-address.ts';
import { Dialog } from '#components/dialog.tsx';
import { useTexts } from '#i18n/texts.ts';
import { ProgramTabs } from '#snippets/program-tabs.tsx';
import type { ModelRequest } from '#snippets/request.ts';
import { chatTexts } from './chat-texts.ts';
import { shortened } from './shown-request.ts';

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
        <ProgramTabs target={{ baseUrl, key: null }} request={shortened(request)} />
      )}
    </Dialog>
  );
}
