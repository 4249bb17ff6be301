import type { GatewayError } from '../errors.ts';
import type { ReportedError } from '../protocols/dialect.ts';
import { reportedFailure as failureOf } from '../routing/upstream-failure.ts';

/** What the caller gets for a failure that the upstream told within an answer of status 200. */
export const reportedFailure = (error: ReportedError): GatewayError => failureOf(error);
