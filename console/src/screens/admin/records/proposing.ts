/**
 * Sends a button's change as a dry run. A person sees the effects and confirms the change before it
 * is made.
 */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { isStale } from '#api/api-error.ts';
import type { Proposal } from '#screens/admin/settings/change-dialog.tsx';
import { type SendChange, useConfigChanged } from '#screens/admin/settings/config-queries.ts';

export type Proposing<About> = {
  /**
   * Sends the change as a dry run. The dialog shows `about`, which is what the change concerns,
   * such as a channel.
   */
  readonly propose: (about: About, send: SendChange) => void;
  readonly proposal: (Proposal & { readonly about: About }) | null;
  readonly close: () => void;
  readonly isRunning: boolean;
  readonly problem: Error | null;
};

export function useProposing<About>(): Proposing<About> {
  const changed = useConfigChanged();
  const [proposal, setProposal] = useState<Proposing<About>['proposal']>(null);
  const trying = useMutation({
    mutationFn: async ({ about, send }: { readonly about: About; readonly send: SendChange }) => ({
      ...{ about, send },
      plan: await send({ dry_run: 'true' }),
    }),
    onSuccess: setProposal,
    onError: (error) => (isStale(error) ? changed() : undefined),
  });
  return {
    propose: (about, send) => trying.mutate({ about, send }),
    proposal,
    close: () => setProposal(null),
    isRunning: trying.isPending,
    problem: trying.error,
  };
}
