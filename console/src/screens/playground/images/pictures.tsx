/** The images of one request, each with links to open and download it. */
import { ActionIcon, Tooltip } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { Dialog } from '#components/dialog.tsx';
import { useTexts } from '#i18n/texts.ts';
import type { Generated, Picture } from './generate.ts';
import type { ImageForm } from './image-form.ts';
import classes from './images.module.css';
import { imagesTexts } from './images-texts.ts';

export type PicturesProps = { readonly generated: Generated; readonly form: ImageForm };

export function Pictures({ generated: { pictures }, form }: PicturesProps) {
  return (
    <div className={classes['pictures']}>
      {pictures.map((picture, at) => (
        <PictureView key={picture.src} picture={picture} number={at + 1} form={form} />
      ))}
    </div>
  );
}

/** Returns the extension of a URL's path, or the type of a data URL. */
const extensionOf = (src: string): string =>
  /^[^?]*[./](png|jpe?g|webp)(?:[?;]|$)/.exec(src)?.[1] ?? 'png';

type PictureViewProps = {
  readonly picture: Picture;
  readonly number: number;
  readonly form: ImageForm;
};

function PictureView({ picture: { src }, number, form }: PictureViewProps) {
  const t = useTexts(imagesTexts);
  const [isOpen, setOpen] = useState(false);
  const [width, height] = form.size.split('x');
  const alt = t('pictureOf', { number, prompt: form.prompt });
  const image = (
    <img className={classes['picture']} src={src} alt={alt} width={width} height={height} />
  );
  return (
    <figure className={classes['figure']}>
      <button
        type="button"
        className={classes['open']}
        aria-label={t('openPicture', { number })}
        onClick={() => setOpen(true)}
      >
        {image}
      </button>
      <Tooltip label={t('download', { number })}>
        <ActionIcon
          component="a"
          className={classes['download'] ?? ''}
          variant="default"
          href={src}
          download={`${form.model}-${number}.${extensionOf(src)}`}
          aria-label={t('download', { number })}
        >
          <IconDownload size={16} />
        </ActionIcon>
      </Tooltip>
      <Dialog
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={form.prompt}
        size="auto"
        centered
      >
        <img className={classes['large']} src={src} alt={alt} width={width} height={height} />
      </Dialog>
    </figure>
  );
}
