/** The model's reasoning, collapsed because it is rarely read. */
import { Collapse, UnstyledButton } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { tokenWeight } from '#chat/token-weight.ts';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import { Markdown } from '#markdown/markdown.tsx';
import classes from '#screens/playground/chat/chat.module.css';
import { chatTexts } from '#screens/playground/chat/chat-texts.ts';

export type ReasoningProps = {
  readonly text: string;
  readonly isGrowing: boolean;
};

export function Reasoning({ text, isGrowing }: ReasoningProps) {
  const t = useTexts(chatTexts);
  const formats = useFormats();
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const tokens = formats.count(Math.max(1, Math.round(tokenWeight(text))));
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
        {isGrowing ? t('thinking') : t('thoughtFor', { tokens })}
      </UnstyledButton>
      <Collapse expanded={isOpen} id={id}>
        <div className={classes['reasoning']} tabIndex={isOpen ? 0 : -1}>
          {isOpen ? <Markdown text={text} isGrowing={isGrowing} /> : null}
        </div>
      </Collapse>
    </div>
  );
}
