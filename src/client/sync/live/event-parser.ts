/** A longer line cannot come from Sprig's server. */
const longestLine = 4_096;

/**
 * Parses a text/event-stream as it arrives, in chunks that may end anywhere. Reports the type of each event; data, ids
 * and comments are skipped. Throws if it cannot be such a stream.
 */
export function createEventParser(onEvent: (type: string) => void): (chunk: Uint8Array) => void {
  const decoder = new TextDecoder();
  let line = '';
  let type = '';
  let hasData = false;
  let isAfterCr = false;

  function endLine(): void {
    if (line === '') {
      // The standard discards an event without a data line.
      if (hasData) onEvent(type || 'message');
      type = '';
      hasData = false;
    } else {
      const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
      if (field === 'event') type = value;
      if (field === 'data') hasData = true;
    }
    line = '';
  }

  return (chunk) => {
    for (const char of decoder.decode(chunk, { stream: true })) {
      const isSecondOfCrlf = isAfterCr && char === '\n';
      isAfterCr = char === '\r';
      if (isSecondOfCrlf) continue;
      if (char === '\n' || char === '\r') endLine();
      else line += char;
      if (line.length > longestLine) throw new Error('Not an event stream');
    }
  };
}
