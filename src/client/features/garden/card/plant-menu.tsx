import { EllipsisVertical, Pencil, Trash2 } from 'lucide-react';
import { Menu, type MenuItem } from '#client/ui/overlay/menu.tsx';
import type { Plant } from '#domain/plant/plant.ts';

/** Offers the actions whose handlers are given; without any there is no menu. */
export function PlantMenu({
  plant,
  onEdit,
  onDelete,
}: {
  plant: Plant;
  onEdit?: ((id: string) => void) | undefined;
  onDelete?: ((id: string) => void) | undefined;
}) {
  const items: MenuItem[] = [];
  if (onEdit) {
    const icon = <Pencil aria-hidden size={18} />;
    items.push({ label: 'Edit', icon, onSelect: () => onEdit(plant.id) });
  }
  if (onDelete) {
    const icon = <Trash2 aria-hidden size={18} />;
    items.push({ label: 'Delete', icon, isDanger: true, onSelect: () => onDelete(plant.id) });
  }
  if (items.length === 0) return null;
  return (
    <Menu
      label={`Actions for ${plant.nickname}`}
      icon={<EllipsisVertical aria-hidden size={20} />}
      items={items}
    />
  );
}
