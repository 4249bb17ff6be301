/** The model's reasoning, collapsed because it is rarely read. */
import { Collapse, UnstyledButton } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useTexts } from '#i18n/texts.ts';
import { LazyMarkdown } from '#markdown/lazy-markdown.tsx';
import classes from '#screens/playground/chat/chat.module.css';
import { chatTexts } from '#screens/playground/chat/chat-texts.ts';

export type ReasoningProps = {
  readonly text: string;
  readonly isGrowing: boolean;
};

export function Reasoning({ text, isGrowing }: ReasoningProps) {
  const t = useTexts(chatTexts);
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <div>
      <UnstyledButton
        className={classes['reasoningButton'] ?? ''}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <IconChevronRight
          size={16}
          className={classes['chevron']}
          data-open={isOpen || undefined}
          aria-hidden
        />
        {t(isGrowing ? 'thinking' : 'thought')}
      </UnstyledButton>
      <Collapse expanded={isOpen} id={id}>
        <div className={classes['reasoning']} tabIndex={isOpen ? 0 : -1}>
          {isOpen ? <LazyMarkdown text={text} isGrowing={isGrowing} /> : null}
        </div>
      </Collapse>
    </div>
  );
}
