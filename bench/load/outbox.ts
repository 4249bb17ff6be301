/**
 * Sends bytes on a socket, and keeps those that the socket has not accepted. Bun's sockets accept
 * only as much as the kernel takes, so the socket's `drain` handler must call `flush` to send the
 * rest.
 */
export class Outbox {
  readonly #write: (bytes: Uint8Array) => number;
  #waiting: Uint8Array[] = [];

  constructor(write: (bytes: Uint8Array) => number) {
    this.#write = write;
  }

  get empty(): boolean {
    return this.#waiting.length === 0;
  }

  send(bytes: Uint8Array): void {
    if (this.#waiting.length > 0) {
      this.#waiting.push(bytes);
      return;
    }
    const written = this.#write(bytes);
    if (written < bytes.length) this.#waiting.push(bytes.subarray(Math.max(written, 0)));
  }

  flush(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const bytes of waiting) this.send(bytes);
  }
}
