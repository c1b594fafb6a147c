import { once } from 'node:events';
import net from 'node:net';
import { createInterface } from 'node:readline';

export interface SmtpServer {
  url: string;
  /** What each mail was said to be from and for, and the mail itself. */
  received: { from: string; to: string; source: string }[];
  close: () => Promise<void>;
}

/** As much of a mail server as takes one mail per connection, saying what it is told to say. */
export async function openSmtpServer(
  says: { greeting?: string; recipients?: string } = {},
): Promise<SmtpServer> {
  const { greeting = '220 here', recipients = '250 go on' } = says;
  const received: SmtpServer['received'] = [];
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    const mail = { from: '', to: '', source: '' };
    let isData = false;
    if (greeting) socket.write(`${greeting}\r\n`);
    createInterface(socket).on('line', (line) => {
      if (isData) {
        if (line !== '.') mail.source += `${line.replace(/^\./, '')}\r\n`;
        else {
          isData = false;
          received.push(mail);
          socket.write('250 taken\r\n');
        }
        return;
      }
      const [, address = ''] = /<(.*)>/.exec(line) ?? [];
      if (line.startsWith('MAIL')) mail.from = address;
      if (line.startsWith('RCPT')) mail.to = address;
      isData = line === 'DATA';
      const answer = line.startsWith('RCPT') ? recipients : '250 go on';
      socket.write(`${isData ? '354 go on' : answer}\r\n`);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
