/** What a request may ask for in its own dialect and the upstream's cannot say. */
import { GatewayError } from '../errors.ts';

/** @param problem what cannot be said and what to do instead, without the path in front. */
export const unsupportedValue = (param: string, problem: string): GatewayError =>
  new GatewayError('unsupported_value', `${param}: ${problem}.`, { param });

export const unsupportedParameter = (param: string, problem: string): GatewayError =>
  new GatewayError('unsupported_parameter', `${param}: ${problem}.`, { param });
