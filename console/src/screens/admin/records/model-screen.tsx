/** The page of a model: its channels, its own settings, and its removal. */
import { getRouteApi } from '@tanstack/react-router';
import { ChannelsCard } from './channels-card.tsx';
import { RecordForm } from './record-form.tsx';
import { RecordPage } from './record-page.tsx';
import { retireModel } from './record-queries.ts';
import { Removal } from './removal.tsx';

const route = getRouteApi('/app/admin/routes/models/$id');

export function ModelScreen() {
  const { id } = route.useParams();
  return (
    <RecordPage section="models" id={id} tab="prices" title={id}>
      {({ fields, revision }) => (
        <>
          <ChannelsCard {...{ id, revision }} />
          {revision === null ? null : (
            <>
              <RecordForm {...{ fields, revision }} />
              <Removal section="models" what={id} send={retireModel(revision, id)} />
            </>
          )}
        </>
      )}
    </RecordPage>
  );
}
