/** The routes that generate and edit images. */
import { LARGEST_REQUEST_BYTES } from '../../../config/document/limit-settings.ts';
import { chatDialect } from '../../../protocols/chat/errors.ts';
import {
  type EditRequest,
  editFormSchema,
  editRequestSchema,
  readEditForm,
  readEditJson,
} from '../../../protocols/images/edit.ts';
import { boundaryOf, readForm } from '../../../protocols/images/form.ts';
import {
  type ImagesRequest,
  imagesRequestSchema,
  readImagesRequest,
} from '../../../protocols/images/request.ts';
import { identityDigest } from '../../../protocols/request-fields.ts';
import type { AnswerMemory } from '../../../relay/images/answer-memory.ts';
import type { ImageTerms } from '../../../relay/images/image-goods.ts';
import { imageOrder } from '../../../relay/images/image-order.ts';
import type { ImageShelf } from '../../../relay/images/image-shelf.ts';
import { type Shop, sell } from '../../../relay/sell.ts';
import { parseScanned } from '../../edge/body.ts';
import {
  idempotencyHeaders,
  idempotencyKeyOf,
  type RequestContent,
} from '../../edge/idempotency.ts';
import type { KeyCall, Route, RouteDoc } from '../../edge/route.ts';
import { type InferenceDeps, idempotentInference } from '../idempotent-inference.ts';
import { IMAGES } from '../inference-schemas.ts';
import { slowAnswer } from './slow-answer.ts';

export type ImageRouteDeps = InferenceDeps & {
  readonly shop: Shop;
  readonly shelf: ImageShelf;
  readonly memory: AnswerMemory;
  /**
   * How long a non-streaming response waits for the answer before it sends its status line, in
   * milliseconds.
   */
  readonly statusHoldMs: number;
};

const COMMON = { method: 'POST', dialect: 'openai', endpoint: 'images' } as const;
const ANSWERS = {
  tag: 'images',
  response: IMAGES,
  headers: idempotencyHeaders,
  mediaTypes: ['application/json', 'text/event-stream'],
} as const;
const GENERATION_DOC: RouteDoc = {
  summary: 'Generate images',
  request: imagesRequestSchema,
  ...ANSWERS,
};
const EDIT_DOC: RouteDoc = {
  summary: 'Edit images, sent in a multipart form or as data URLs in JSON',
  get request() {
    return editRequestSchema();
  },
  get form() {
    return editFormSchema();
  },
  ...ANSWERS,
};

const BY_KEY = { auth: 'key', scope: 'inference' } as const;

export function imageRoutes(deps: ImageRouteDeps): readonly Route[] {
  const generation = {
    ...COMMON,
    doc: GENERATION_DOC,
    handle: (call: KeyCall) => generate(deps, call),
  };
  const edit = {
    ...COMMON,
    doc: EDIT_DOC,
    maxBodyBytes: LARGEST_REQUEST_BYTES,
    handle: (call: KeyCall) => editImages(deps, call),
  };
  return [
    ...['/v2', '/v1'].flatMap((prefix): readonly Route[] => [
      { ...generation, path: `${prefix}/images/generations`, ...BY_KEY },
      { ...edit, path: `${prefix}/images/edits`, ...BY_KEY },
    ]),
    // The playground's route, for a signed-in person with their playground key.
    {
      ...generation,
      path: '/console/api/images/generations',
      auth: 'playground',
      role: 'member',
      doc: { ...GENERATION_DOC, tag: 'console' },
    },
  ];
}

async function generate(deps: ImageRouteDeps, call: KeyCall): Promise<Response> {
  const body = await call.readScanned();
  const request = readImagesRequest(parseScanned(body));
  return await sellImages(deps, call, { request, inputs: null, content: body.bytes });
}

async function editImages(deps: ImageRouteDeps, call: KeyCall): Promise<Response> {
  const { request, inputs } = await readEdit(call);
  const { images, mask } = inputs;
  // A multipart boundary differs each time a form is sent, so the fingerprint covers only the
  // contents.
  const content = [
    new TextEncoder().encode(JSON.stringify(request)),
    ...images.map(({ bytes }) => bytes),
    ...(mask === null ? [] : [new TextEncoder().encode('mask'), mask.bytes]),
  ];
  return await sellImages(deps, call, { request, inputs, content });
}

async function readEdit(call: KeyCall): Promise<EditRequest> {
  const boundary = boundaryOf(call.request.headers.get('content-type') ?? '');
  if (boundary === null) return readEditJson(await call.readScanned());
  const { fields, files } = readForm(await call.readBytes(), boundary);
  // Azure's paths contain the name of the model. Other paths do not, so it is a field of the form.
  const { model } = call.params;
  return readEditForm({
    fields: model === undefined ? fields : new Map([...fields, ['model', model]]),
    files,
  });
}

type Asked = Pick<ImageTerms, 'inputs'> & {
  readonly request: ImagesRequest;
  /** The content that a retry with the same Idempotency-Key must repeat. */
  readonly content: RequestContent['body'];
};

async function sellImages(
  deps: ImageRouteDeps,
  call: KeyCall,
  { request: read, inputs, content }: Asked,
): Promise<Response> {
  const { shop, shelf } = deps;
  const { requestId, trace, caller } = call;
  const user = read.user === null ? null : identityDigest(caller.accountId, read.user);
  const request = { ...read, user };
  const { model, stream } = request;
  call.asks({ model, channel: request.channel, stream });
  const headers = (kind: 'json' | 'stream') => call.headers(kind);
  const begun = Promise.withResolvers<void>();
  const left = new AbortController();
  const memory = deps.memory.open();
  const order = imageOrder({
    ...{ request, inputs, shelf, memory, onBegun: begun.resolve },
    releaseBody: () => call.releaseBody(),
  });
  const answering = idempotentInference(
    deps,
    call,
    { endpoint: 'images', model, body: content, stream, headers: {} },
    (given, onCharged) => {
      const signal = AbortSignal.any([given, left.signal]);
      const sold = sell(shop, { requestId, trace, caller, signal, headers, onCharged }, order);
      return sold.finally(memory.release);
    },
  );
  if (stream) return await answering;
  return await slowAnswer(answering, begun.promise, {
    clock: shop.clock,
    statusHoldMs: deps.statusHoldMs,
    keepAliveMs: shop.limits.keepAliveMs,
    headers: () => call.headers('stream'),
    failed: (error) => {
      shop.onBrokenStream(requestId, error);
      return chatDialect.errorBody(error, requestId);
    },
    // Called when the caller disconnects. A request with an idempotency key continues, so that a
    // repetition gets its answer.
    left: () => {
      if (idempotencyKeyOf(call) === null) left.abort();
    },
  });
}
