/** The image playground. It shows the price before a request and the images afterward. */
import { Button, Skeleton } from '@mantine/core';
import { IconPhoto } from '@tabler/icons-react';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { useSignedIn } from '#api/session.ts';
import { walletsQuery } from '#api/wallets.ts';
import { type Model, useModels } from '#catalogue/models.ts';
import { ApiProblem } from '#components/api-problem.tsx';
import { Empty } from '#components/empty.tsx';
import { Page } from '#components/page.tsx';
import { useTexts } from '#i18n/texts.ts';
import { navigationTexts } from '#shell/navigation.ts';
import { ProgramDialog } from './chat/program-dialog.tsx';
import { Gallery } from './images/gallery.tsx';
import { firstForm, fitted, type ImageForm, requestOf } from './images/image-form.ts';
import { ImageFormView } from './images/image-form-view.tsx';
import { openShelf } from './images/image-shelf.ts';
import { type ImageState, ImageStore } from './images/image-store.ts';
import classes from './images/images.module.css';
import { imagesTexts } from './images/images-texts.ts';

const route = getRouteApi('/app/member/playground/images');

export function ImagesScreen() {
  const t = useTexts(navigationTexts);
  const { data, error, refetch } = useModels();
  const models = useMemo(() => data?.filter(({ kind }) => kind === 'image'), [data]);
  return (
    <Page title={t('images')}>
      {models !== undefined ? <Images models={models} /> : null}
      {models === undefined && error === null ? <Skeleton height="60dvh" /> : null}
      {error === null ? null : <ApiProblem error={error} onRetry={() => void refetch()} />}
    </Page>
  );
}

function Images({ models }: { readonly models: readonly Model[] }) {
  const { store, state } = useImages();
  const [isCodeShown, setCodeShown] = useState(false);
  useModelOfAddress(store, models);
  const { form, runs } = state;
  if (form === null) return <Skeleton height="60dvh" />;
  return (
    <div className={classes['workspace']}>
      <ImageFormView
        models={models}
        form={form}
        onChange={(changed) => store.setForm(changed)}
        onGenerate={() => store.run()}
        onShowCode={() => setCodeShown(true)}
      />
      {runs.length === 0 ? (
        <NothingYet onExample={(prompt) => store.setForm({ ...form, prompt })} />
      ) : (
        <Gallery store={store} runs={runs} />
      )}
      <ProgramDialog
        request={isCodeShown ? requestOf(form) : null}
        onClose={() => setCodeShown(false)}
      />
    </div>
  );
}

function NothingYet({ onExample }: { readonly onExample: (prompt: string) => void }) {
  const t = useTexts(imagesTexts);
  return (
    <Empty
      icon={IconPhoto}
      title={t('emptyTitle')}
      action={
        <Button variant="default" onClick={() => onExample(t('examplePrompt'))}>
          {t('example')}
        </Button>
      }
    >
      {t('emptyHint')}
    </Empty>
  );
}

/**
 * Selects the model in the URL. If the URL has none, keeps the last choice, or selects the first
 * model of the catalog.
 */
function useModelOfAddress(store: ImageStore, models: readonly Model[]): void {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  useEffect(() => {
    const { form } = store.state();
    const requested = models.find(({ id }) => id === search.model);
    const model = requested ?? models.find(({ id }) => id === form?.model) ?? models[0];
    if (model === undefined) return;
    const next: ImageForm = form ?? firstForm(model);
    const channel = requested === undefined ? next.channel : (search.channel ?? null);
    if (form === null || requested !== undefined)
      store.setForm(fitted({ ...next, channel }, model));
    if (search.model !== undefined) void navigate({ search: {}, replace: true });
  }, [store, models, search, navigate]);
}

let ofTab: { readonly personId: string; readonly store: ImageStore } | null = null;

/** Returns the gallery of the signed-in person, and discards the gallery of any other person. */
function useImages(): { readonly store: ImageStore; readonly state: ImageState } {
  const { id } = useSignedIn();
  const store = imagesOf(id, useQueryClient());
  return { store, state: useSyncExternalStore(store.subscribe, store.state) };
}

function imagesOf(personId: string, queryClient: QueryClient): ImageStore {
  if (ofTab?.personId !== personId) {
    const store = new ImageStore({
      fetch: (path, init) => fetch(path, init),
      newId: () => crypto.randomUUID(),
      nowMs: () => Date.now(),
      shelf: openShelf(personId),
      onGenerated: () => void queryClient.invalidateQueries(walletsQuery),
    });
    ofTab = { personId, store };
    void store.restore();
  }
  return ofTab.store;
}
