/** Where programs call the gateway. */

/** The address of this page: the console is served by the gateway itself. */
export const gatewayAddress = (): string => location.origin;
