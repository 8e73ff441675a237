# frozen_string_literal: true

require 'set'

module Inventory
  # A thing with a price.
  class Item
    attr_reader :name, :price
    include Comparable

    def initialize(name, price: 0.0, tags: [])
      @name = name
      @price = price
      @tags = Set.new(tags)
    end

    def <=>(other)
      price <=> other.price
    end

    def tagged?(*wanted)
      wanted.all? { |tag| @tags.include?(tag) }
    end
  end

  def self.report(items, &block)
    items.select(&block).sort.each_with_index do |item, i|
      puts "#{i + 1}. #{item.name.ljust(10)} #{format('%.2f', item.price)}"
    end
  rescue ArgumentError => e
    warn "no report: #{e.message}" unless e.nil?
  ensure
    puts '-' * 20
  end
end

items = [Inventory::Item.new('pen', price: 1.5, tags: %i[office]), Inventory::Item.new('ink')]
Inventory.report(items) { |item| item.price >= 0 && !item.tagged?(:old) }
