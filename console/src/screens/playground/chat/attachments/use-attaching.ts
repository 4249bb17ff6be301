/** Manages the files of the message being typed. */
import { useState } from 'react';
import type { Model } from '#catalogue/models.ts';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import type { ChatStore } from '#screens/playground/chat/chat-store.ts';
import { chatTexts } from '#screens/playground/chat/chat-texts.ts';
import {
  type Attachment,
  type AttachmentProblem,
  attach,
  MAX_ATTACHMENTS,
  MAX_TOTAL_BYTES,
  problemWith,
} from './attachment.ts';

const MEGABYTE = 1024 * 1024;

export type Attaching = {
  /** The inputs that all selected models accept. */
  readonly modalities: readonly string[];
  readonly add: (files: readonly File[]) => Promise<void>;
  readonly remove: (id: string) => void;
  /** One sentence for each rejected file, until the person dismisses the sentences. */
  readonly problems: readonly string[];
  readonly forgetProblems: () => void;
  /** The reason why the selected models do not accept the attachments; null when they do. */
  readonly misfit: string | null;
};

export function useAttaching(store: ChatStore, targetModels: readonly Model[]): Attaching {
  const sentence = useProblemSentence(targetModels);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const modalities = sharedModalities(targetModels);
  const { attachments } = store.state().draft;
  const misfit = attachments.find(({ kind }) => !modalities.includes(kind));

  const setAttachments = (change: (before: readonly Attachment[]) => readonly Attachment[]): void =>
    store.change((state) => ({
      ...state,
      draft: { ...state.draft, attachments: change(state.draft.attachments) },
    }));

  const add = async (files: readonly File[]): Promise<void> => {
    const found: string[] = [];
    for (const file of files) {
      const problem = problemWith(file, store.state().draft.attachments, modalities);
      if (problem !== null) {
        found.push(sentence(file.name, problem));
        continue;
      }
      try {
        const attachment = await attach(file);
        setAttachments((before) => [...before, attachment]);
      } catch (thrown) {
        console.warn('a file could not be read', thrown);
        found.push(sentence(file.name, 'read'));
      }
    }
    setProblems(found);
  };

  return {
    modalities,
    add,
    remove: (id) => {
      setProblems([]);
      setAttachments((before) => before.filter((attachment) => attachment.id !== id));
    },
    problems,
    forgetProblems: () => setProblems([]),
    misfit: misfit === undefined ? null : sentence(misfit.name, 'kind'),
  };
}

const sharedModalities = ([first, ...others]: readonly Model[]): readonly string[] =>
  (first?.input_modalities ?? []).filter((name) =>
    others.every(({ input_modalities }) => input_modalities.includes(name)),
  );

const TEXT_OF = {
  type: 'problemType',
  kind: 'problemKind',
  empty: 'problemEmpty',
  count: 'problemCount',
  size: 'problemSize',
  read: 'problemRead',
} as const;

function useProblemSentence(targetModels: readonly Model[]) {
  const t = useTexts(chatTexts);
  const { list } = useFormats();
  const names = new Set(targetModels.map((model) => model.name));
  return (name: string, problem: AttachmentProblem | 'read'): string =>
    t(TEXT_OF[problem], {
      name,
      models: list([...names]),
      max: problem === 'count' ? MAX_ATTACHMENTS : MAX_TOTAL_BYTES / MEGABYTE,
    });
}
