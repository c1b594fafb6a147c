import { and, asc, eq, gt, inArray, lte, ne, or } from 'drizzle-orm';
import { uuidv7 } from 'uuidv7';
import type { CommandResult, DeviceCommand } from '#contract/logs.ts';
import { wateringLimits } from '#domain/watering/rule.ts';
import type { Transaction } from '../database/transaction.ts';
import { isUuid } from '../http/request-input.ts';
import { wateringCommands } from './schema.ts';

type CommandRow = typeof wateringCommands.$inferSelect;
type PlantKeys = Pick<CommandRow, 'userId' | 'plantId'>;

export async function issueCommand(
  tx: Transaction,
  keys: PlantKeys,
  { amountMl, soilBefore, now }: { amountMl: number; soilBefore: number; now: Date },
): Promise<void> {
  await tx.insert(wateringCommands).values({
    ...keys,
    id: uuidv7(),
    issuedAt: now,
    expiresAt: new Date(now.getTime() + wateringLimits.commandLifeMs),
    amountMl,
    soilBefore,
  });
}

/**
 * The commands that the device may still run. Responses repeat them, because an earlier response may have been lost;
 * decideAndIssue determines which responses do. Commands from before `since` (ms) are withdrawn, because of a watering by
 * hand or an edit at that time. One dated after `now` was issued while the clock was wrong: whether it was withdrawn is
 * unknown.
 */
export async function openCommands(
  tx: Transaction,
  keys: PlantKeys,
  { since, now }: { since: number | null; now: Date },
): Promise<DeviceCommand[]> {
  const open = await tx
    .select()
    .from(wateringCommands)
    .where(
      and(
        isOf(keys),
        eq(wateringCommands.status, 'issued'),
        gt(wateringCommands.expiresAt, now),
        gt(wateringCommands.issuedAt, new Date(since ?? 0)),
        lte(wateringCommands.issuedAt, now),
      ),
    )
    .orderBy(asc(wateringCommands.issuedAt));
  return open.map(({ id, amountMl, expiresAt }) => ({
    id,
    type: 'water',
    amount_ml: amountMl,
    expires_at: expiresAt.toISOString(),
  }));
}

/** Those of the account's commands that the device may still run: not ended and not withdrawn (see openCommands). */
export async function filterOpenCommands(
  tx: Transaction,
  userId: string,
  commands: readonly DeviceCommand[],
  now: Date,
): Promise<DeviceCommand[]> {
  if (commands.length === 0) return [];
  const { rows } = await tx.$client.query<{ id: string }>({
    name: 'still-open',
    text: `SELECT c.id FROM watering_commands c JOIN plants p ON p.user_id = c.user_id AND p.id = c.plant_id
      WHERE c.user_id = $1::uuid AND p.user_id = $1::uuid AND c.id = ANY($2::uuid[])
        AND c.status = 'issued' AND c.expires_at > $3 AND c.issued_at <= $3
        AND c.issued_at > coalesce(p.auto_watering_since, '-infinity')`,
    values: [userId, commands.map(({ id }) => id), now],
  });
  return commands.filter(({ id }) => rows.some((row) => row.id === id));
}

/**
 * Whether a command that was issued after `since` has ended: reported by the device, or expired. One dated after `now`
 * was issued while the clock was wrong and does not count.
 */
export async function hasEndedCommand(
  tx: Transaction,
  keys: PlantKeys,
  { since, now }: { since: Date; now: Date },
): Promise<boolean> {
  const { issuedAt, expiresAt, status } = wateringCommands;
  const [later] = await tx
    .select({ id: wateringCommands.id })
    .from(wateringCommands)
    .where(
      and(
        isOf(keys),
        gt(issuedAt, since),
        lte(issuedAt, now),
        or(ne(status, 'issued'), lte(expiresAt, now)),
      ),
    )
    .limit(1);
  return later !== undefined;
}

/** Stores a device's report about a command of one of these plants. Null for an unknown command or a repeated report. */
export async function reportCommand(
  tx: Transaction,
  { userId, plantIds }: { userId: string; plantIds: readonly string[] },
  result: CommandResult,
  now: Date,
): Promise<CommandRow | null> {
  if (!isUuid(result.id)) return null;
  const ofPlants = inArray(wateringCommands.plantId, [...plantIds]);
  const [command] = await tx
    .select()
    .from(wateringCommands)
    .where(and(eq(wateringCommands.userId, userId), ofPlants, eq(wateringCommands.id, result.id)));
  if (command?.status !== 'issued') return null;
  const reportedMl = result.amount_ml ?? (result.status === 'done' ? command.amountMl : null);
  // Without water (0 ml), a command has failed even if the device reports it as done.
  const status = result.status === 'done' && reportedMl !== 0 ? 'done' : 'failed';
  const [reported] = await tx
    .update(wateringCommands)
    .set({ status, reportedMl, reportedAt: now })
    .where(and(isOf(command), eq(wateringCommands.id, result.id)))
    .returning();
  return reported ?? null;
}

function isOf({ userId, plantId }: PlantKeys) {
  return and(eq(wateringCommands.userId, userId), eq(wateringCommands.plantId, plantId));
}
